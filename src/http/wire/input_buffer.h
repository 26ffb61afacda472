// Received bytes that are not consumed yet; grows up to a limit.
#pragma once

#include <algorithm>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

namespace holdfast::http {

class InputBuffer {
public:
    explicit InputBuffer(std::size_t limit) : limit_(limit), bytes_(std::min(limit, first_size)) {}

    std::string_view view() const { return {bytes_.data() + begin_, end_ - begin_}; }
    bool empty() const { return begin_ == end_; }
    void clear() { begin_ = end_ = 0; }

    // Free space to read into; empty if `limit` bytes are not consumed yet. Any other call
    // invalidates it.
    std::span<char> free_space() {
        if (end_ == bytes_.size()) make_space();
        return {bytes_.data() + end_, bytes_.size() - end_};
    }
    void received(std::size_t count) { end_ += count; }
    void consume(std::size_t count) {
        begin_ += count;
        if (begin_ == end_) clear();
    }

private:
    static constexpr std::size_t first_size = 4096;

    void make_space() {
        std::memmove(bytes_.data(), bytes_.data() + begin_, end_ - begin_);
        end_ -= begin_;
        begin_ = 0;
        if (end_ == bytes_.size()) bytes_.resize(std::min(limit_, bytes_.size() * 2));
    }

    std::size_t limit_;
    std::vector<char> bytes_;
    std::size_t begin_ = 0;
    std::size_t end_ = 0;
};

}  // namespace holdfast::http
