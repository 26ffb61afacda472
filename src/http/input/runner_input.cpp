#include "http/input/runner_input.h"

#include "http/input/input.h"

namespace holdfast::http {

Result<std::uint64_t> read_run_number(const boost::json::object& body) {
    HF_TRY(auto run, read_number(body, "run"));
    if (!run || *run == 0)
        return fail(ErrorCode::invalid_argument,
                    "'run' is the run that the workflow shows, a whole number from 1 on");
    return *run;
}

Result<op::Run> read_run(const boost::json::object& body) {
    HF_TRY(auto run, read_run_number(body));
    HF_TRY(auto index, read_number(body, "index"));
    if (!index)
        return fail(ErrorCode::invalid_argument,
                    "'index' is the index that the workflow shows, a whole number from 0 on");
    return op::Run{run, *index};
}

}  // namespace holdfast::http
