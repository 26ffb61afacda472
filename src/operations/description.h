// Operations and outcomes describe their members once, in this form:
//
//     static void describe(auto& op, auto& with) {
//         with("instance", op.instance);
//         with.later("rollback", op.rollback);  // keeps its default where stored JSON lacks it
//     }
//
// Their JSON, their reader and the form that is kept for repeats come from this
// (operations/operation_codec.h). `name`, `cause` and `client_key` need no description.
#pragma once

#include <cstddef>
#include <functional>

#include "base/ids/uuid.h"

namespace holdfast {

template <class Tag>
std::size_t shard_hash(const Id<Tag>& id) {
    return std::hash<Id<Tag>>{}(id) >> 32;
}

namespace op {

// A text that is canonical JSON, shown as the JSON that it is.
template <class Text>
struct JsonText {
    Text& text;
};
template <class Text>
JsonText<Text> json_text(Text& text) {
    return {text};
}

// An instance with the members that the API does not show.
template <class SomeInstance>
struct Whole {
    SomeInstance& instance;
};
template <class SomeInstance>
Whole<SomeInstance> whole(SomeInstance& instance) {
    return {instance};
}

}  // namespace op
}  // namespace holdfast
