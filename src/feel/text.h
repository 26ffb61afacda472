// An immutable UTF-8 string that is cheap to copy: short ones lie inside, long ones are shared.
#pragma once

#include <atomic>
#include <compare>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace holdfast::feel {

class Text {
public:
    // Up to this many bytes need no allocation.
    static constexpr std::size_t inside = 16;

    Text() noexcept : size_(0), bytes_{} {}
    Text(std::string_view text);  // NOLINT: a text is what it reads
    Text(const char* text) : Text(std::string_view(text)) {}
    Text(const Text& other) noexcept : size_(other.size_) {
        std::memcpy(bytes_, other.bytes_, sizeof bytes_);
        if (size_ > inside) shared()->users.fetch_add(1, std::memory_order_relaxed);
    }
    Text(Text&& other) noexcept : size_(other.size_) {
        std::memcpy(bytes_, other.bytes_, sizeof bytes_);
        other.size_ = 0;
    }
    Text& operator=(Text other) noexcept {
        std::swap(size_, other.size_);
        std::swap(bytes_, other.bytes_);
        return *this;
    }
    ~Text() {
        if (size_ > inside) release();
    }

    std::string_view view() const {
        return {size_ > inside ? reinterpret_cast<const char*>(shared() + 1) : bytes_, size_};
    }
    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }

    friend bool operator==(const Text& a, const Text& b) { return a.view() == b.view(); }
    friend bool operator==(const Text& a, std::string_view b) { return a.view() == b; }
    // By bytes, which for UTF-8 is by code points.
    friend std::strong_ordering operator<=>(const Text& a, const Text& b) {
        return a.view() <=> b.view();
    }

private:
    // The bytes follow it.
    struct Shared {
        std::atomic<std::uint64_t> users;
    };

    Shared* shared() const {
        Shared* pointer;
        std::memcpy(&pointer, bytes_, sizeof pointer);
        return pointer;
    }
    void release();

    std::size_t size_;
    alignas(8) char bytes_[inside];  // the text, or a pointer to Shared
};

}  // namespace holdfast::feel
