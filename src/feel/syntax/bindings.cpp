#include "feel/syntax/bindings.h"

#include <algorithm>
#include <ranges>

namespace holdfast::feel {

void Bindings::forget_since(std::size_t mark) {
    Frame& frame = frames_.back();
    while (frame.names.size() > mark) {
        frame.places[frame.names.back().name].pop_back();
        if (frame.names.back().is_item) frame.items.pop_back();
        frame.names.pop_back();
    }
}

Slot Bindings::bind(std::string name) {
    Frame& frame = frames_.back();
    frame.places[name].push_back(frame.names.size());
    frame.names.push_back({std::move(name), frame.size, false});
    return frame.size++;
}

Slot Bindings::bind_item() {
    const Slot slot = bind("item");
    Frame& frame = frames_.back();
    frame.names.back().is_item = true;
    frame.items.push_back(frame.names.size() - 1);
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
    Frame& frame = frames_[index];
    const auto known = frame.places.find(name);
    const bool bound = known != frame.places.end() && !known->second.empty();
    for (const std::size_t item : frame.items | std::views::reverse) {
        if (bound && item < known->second.back()) break;
        found.items.push_back(frame.names[item].slot);
    }
    if (bound) {
        found.local = frame.names[known->second.back()].slot;
        return found;
    }
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
