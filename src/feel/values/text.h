// An immutable UTF-8 string that is cheap to copy: short ones are stored inline, long ones shared.
#pragma once

#include <atomic>
#include <compare>
#include <cstdint>
#include <string_view>
#include <utility>

namespace holdfast::feel {

class Text {
public:
    // Up to this many bytes need no allocation.
    static constexpr std::size_t inside = 16;

    Text() noexcept : size_(0), place_{} {}
    Text(std::string_view text);  // NOLINT: implicit, as for std::string
    Text(const char* text) : Text(std::string_view(text)) {}
    Text(const Text& other) noexcept : size_(other.size_), place_(other.place_) {
        if (size_ > inside) place_.shared->users.fetch_add(1, std::memory_order_relaxed);
    }
    Text(Text&& other) noexcept : size_(std::exchange(other.size_, 0)), place_(other.place_) {}
    Text& operator=(Text other) noexcept {
        std::swap(size_, other.size_);
        std::swap(place_, other.place_);
        return *this;
    }
    ~Text() {
        if (size_ > inside) release();
    }

    std::string_view view() const {
        const auto* bytes =
            size_ > inside ? reinterpret_cast<const char*>(place_.shared + 1) : place_.bytes;
        return {bytes, size_};
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
    // The bytes follow in the same allocation.
    struct Shared {
        std::atomic<std::uint64_t> users;
    };

    union Place {
        char bytes[inside];
        Shared* shared;  // of longer texts
    };

    void release();

    std::size_t size_;
    Place place_;
};

}  // namespace holdfast::feel
