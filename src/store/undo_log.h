// Takes back what an operation changed in the view of its round, if it turns out to need more
// reads.
#pragma once

#include <functional>
#include <utility>
#include <vector>

namespace holdfast {

// The containers outlive the log, and their elements do not move: maps, sets, and lists that only
// grow at their end.
class UndoLog {
public:
    // From now on changes are taken back to here.
    void save() {
        undos_.clear();
        ++savepoint_;
    }
    void roll_back() {
        for (; !undos_.empty(); undos_.pop_back()) undos_.back()();
        save();
    }
    // Differs for every savepoint: whether something was logged since the last one.
    std::size_t savepoint() const { return savepoint_; }

    template <class Undo>
    void add(Undo undo) {
        undos_.emplace_back(std::move(undo));
    }
    // Before a change in place: logs a copy.
    template <class T>
    T& change(T& object) {
        add([&object, old = object]() mutable { object = std::move(old); });
        return object;
    }

    template <class Map, class... Arguments>
    auto emplace(Map& map, Arguments&&... arguments) {
        const auto added = map.emplace(std::forward<Arguments>(arguments)...);
        if (added.second) add([&map, key = key_in<Map>(added.first)] { map.erase(*key); });
        return added;
    }
    template <class Map>
    auto& at(Map& map, const typename Map::key_type& key) {
        const auto [found, added] = map.try_emplace(key);
        if (added)
            add([&map, key = &found->first] { map.erase(*key); });
        else
            change(found->second);
        return found->second;
    }
    template <class Map>
    void assign(Map& map, const typename Map::key_type& key, typename Map::mapped_type value) {
        at(map, key) = std::move(value);
    }
    template <class Container>
    bool erase(Container& container, const typename Container::key_type& key) {
        auto node = container.extract(key);
        if (node.empty()) return false;
        add([&container, node = std::move(node)]() mutable { container.insert(std::move(node)); });
        return true;
    }
    template <class Map, class Is>
    void erase_if(Map& map, Is is) {
        for (auto at = map.begin(); at != map.end();) {
            const auto next = std::next(at);
            if (is(*at)) erase(map, typename Map::key_type(*key_in<Map>(at)));
            at = next;
        }
    }
    template <class List, class Value>
    void append(List& list, Value&& value) {
        list.push_back(std::forward<Value>(value));
        add([&list] { list.pop_back(); });
    }

private:
    // Of an element of a map or a set.
    template <class Container>
    static const auto* key_in(typename Container::iterator at) {
        if constexpr (requires { typename Container::mapped_type; })
            return &at->first;
        else
            return &*at;
    }

    std::vector<std::move_only_function<void()>> undos_;
    std::size_t savepoint_ = 1;
};

}  // namespace holdfast
