#include "holdfast/code.h"

#include <array>

namespace holdfast {
namespace {

constexpr std::array<std::string_view, 5> sent_names = {"delivered", "queued", "ended", "unknown",
                                                        "refused"};

}  // namespace

void tag_invoke(boost::json::value_from_tag, Json& value, Sent sent) {
    value = sent_names[static_cast<std::size_t>(sent)];
}

Sent tag_invoke(boost::json::value_to_tag<Sent>, const Json& value) {
    for (std::size_t i = 0; i < sent_names.size(); ++i)
        if (value.as_string() == sent_names[i]) return static_cast<Sent>(i);
    return Sent::unknown;
}

namespace flow {

Json list_arguments(const std::string& flow, const Json& arguments, std::size_t parameters) {
    const auto* array = arguments.if_array();
    if (array && array->size() == parameters) return arguments;
    const bool empty = arguments.is_null() ||
                       (arguments.is_object() && arguments.get_object().empty()) ||
                       (array && array->empty());
    if (parameters == 0 && empty) return boost::json::array();
    if (parameters == 1 && !array && !arguments.is_null()) {
        boost::json::array list;
        list.push_back(arguments);
        return list;
    }
    const std::size_t given = array ? array->size() : arguments.is_null() ? 0 : 1;
    throw Misuse("flow '" + flow + "' takes " + std::to_string(parameters) + " argument" +
                 (parameters == 1 ? "" : "s") + ", " + std::to_string(given) +
                 " given. Start it with a JSON array of one element per parameter");
}

std::string ArgumentPlace::text() const {
    return "flow '" + flow + "', argument " + std::to_string(index + 1);
}

std::string CallPlace::text() const { return host.where(call); }

}  // namespace flow
}  // namespace holdfast
