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
    return op::Run{run, *index};
}

}  // namespace holdfast::http
