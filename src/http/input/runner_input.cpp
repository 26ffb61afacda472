#include "http/input/runner_input.h"

#include "http/input/input.h"

namespace holdfast::http {

Result<std::uint64_t> read_run_number(const boost::json::object& body) {
    HF_TRY(auto run, read_number(body, "run"));
    if (!run || *run == 0)
        return fail(ErrorCode::invalid_argument,
                    "'run' must be the workflow's current run, a whole number, 1 or more");
    return *run;
}

Result<op::Run> read_run(const boost::json::object& body) {
    HF_TRY(auto run, read_run_number(body));
    HF_TRY(auto index, read_number(body, "index"));
    if (!index)
        return fail(ErrorCode::invalid_argument,
                    "'index' must be the workflow's current index, a whole number, 0 or more");
    HF_TRY(auto lease, read_lease(body));
    return op::Run{run, *index, lease};
}

Result<std::optional<Lease>> read_lease(const boost::json::object& body) {
    const boost::json::value* member = body.if_contains("lease");
    if (!member || member->is_null()) return std::nullopt;
    const auto refused =
        fail(ErrorCode::invalid_argument, "'lease' must be {worker, epoch} as a claim returned it");
    const boost::json::object* lease = member->if_object();
    if (!lease || lease->size() != 2) return refused;
    HF_TRY(auto worker, read_text(*lease, "worker"));
    HF_TRY(auto epoch, read_number(*lease, "epoch"));
    const auto id = parse_id<NodeId>(worker.value_or(""));
    if (!id || !epoch) return refused;
    return Lease{*id, *epoch};
}

}  // namespace holdfast::http
