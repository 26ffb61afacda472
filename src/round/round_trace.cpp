#include "round/round_trace.h"

#include <boost/json.hpp>

#include "base/json/canonical.h"

namespace holdfast {

namespace bj = boost::json;

Result<std::unique_ptr<RoundTrace>> RoundTrace::open(const std::string& path) {
    std::ofstream file(path, std::ios::app);
    if (!file) return fail(ErrorCode::invalid_argument, "cannot write the trace file " + path);
    return std::unique_ptr<RoundTrace>(new RoundTrace(std::move(file)));
}

void RoundTrace::write(Moment now, const std::string& node, std::vector<bj::object> operations) {
    bj::array lines;
    for (bj::object& operation : operations) lines.push_back(std::move(operation));
    const std::string text = json::canonical(
        bj::object{{"now", to_iso8601(now)}, {"node", node}, {"operations", std::move(lines)}});
    const std::lock_guard lock(mutex_);
    file_ << text << '\n' << std::flush;
}

}  // namespace holdfast
