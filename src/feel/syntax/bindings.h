// The names that are bound while an expression is parsed: frames of functions, and the scopes of
// loops, contexts and filters inside them.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "feel/syntax/node.h"

namespace holdfast::feel {

class Bindings {
public:
    // What a name resolves to at the current position.
    struct Found {
        std::optional<Slot> local;
        std::vector<Slot> items;  // filter items to search first, the innermost first
    };

    Bindings() { frames_.emplace_back(); }

    // A scope begins at a mark and ends with forget_since.
    std::size_t mark() const { return frames_.back().names.size(); }
    void forget_since(std::size_t mark);

    Slot bind(std::string name);
    // The item of a filter: its members are names too.
    Slot bind_item();

    Found find(std::string_view name) { return find_in(frames_.size() - 1, name); }

    void open_function(std::string self);
    // Fills captures, self and frame size.
    void close_function(FunctionNode& function);
    std::uint32_t frame_size() const { return frames_.back().size; }

private:
    struct Bound {
        std::string name;
        Slot slot;
        bool is_item;
    };
    struct Frame {
        std::vector<Bound> names;
        // Indices into `names`, the innermost last. A text may bind thousands.
        std::map<std::string, std::vector<std::size_t>, std::less<>> places;
        std::vector<std::size_t> items;
        std::uint32_t size = 0;
        std::string self;
        std::optional<Slot> self_slot;
        std::vector<FunctionNode::Capture> captures;
    };

    Found find_in(std::size_t frame, std::string_view name);
    // The slot in `frame` for the value in slot `outer` of the enclosing frame.
    Slot capture(std::size_t frame, Slot outer);

    std::vector<Frame> frames_;
};

}  // namespace holdfast::feel
