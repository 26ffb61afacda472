#include "feel/bindings.h"

#include <algorithm>
#include <ranges>

namespace holdfast::feel {

void Bindings::forget_since(std::size_t mark) { frames_.back().names.resize(mark); }

Slot Bindings::bind(std::string name) {
    Frame& frame = frames_.back();
    frame.names.push_back({std::move(name), frame.size, false});
    return frame.size++;
}

Slot Bindings::bind_item() {
    const Slot slot = bind("item");
    frames_.back().names.back().is_item = true;
    return slot;
}

void Bindings::open_function(std::string self) {
    frames_.emplace_back();
    frames_.back().self = std::move(self);
}

void Bindings::close_function(FunctionNode& function) {
    Frame& frame = frames_.back();
    function.captures = std::move(frame.captures);
    function.self = frame.self_slot;
    function.frame_size = frame.size;
    frames_.pop_back();
}

Bindings::Found Bindings::find_in(std::size_t index, std::string_view name) {
    Found found;
    for (const Bound& bound : frames_[index].names | std::views::reverse) {
        if (bound.is_item) found.items.push_back(bound.slot);
        if (bound.name != name) continue;
        found.local = bound.slot;
        return found;
    }
    Frame& frame = frames_[index];
    if (!frame.self.empty() && frame.self == name) {
        if (!frame.self_slot) frame.self_slot = frame.size++;
        found.local = frame.self_slot;
        return found;
    }
    if (index == 0) return found;
    const Found outside = find_in(index - 1, name);
    for (const Slot item : outside.items) found.items.push_back(capture(index, item));
    if (outside.local) found.local = capture(index, *outside.local);
    return found;
}

Slot Bindings::capture(std::size_t index, Slot outer) {
    Frame& frame = frames_[index];
    const auto known = std::ranges::find(frame.captures, outer, &FunctionNode::Capture::from);
    if (known != frame.captures.end()) return known->to;
    frame.captures.push_back({outer, frame.size});
    return frame.size++;
}

}  // namespace holdfast::feel
