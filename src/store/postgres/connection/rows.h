// The result rows of a statement, read column by column from PostgreSQL's binary format.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids/digest.h"
#include "base/ids/uuid.h"
#include "base/time/moment.h"

struct pg_result;

namespace holdfast::postgres {

// One row; each call reads the next column. The statement and its reader use the same column order;
// a type mismatch is a bug and asserts.
class Row {
public:
    Row(const pg_result* result, int row, std::string* damage = nullptr)
        : result_(result), row_(row), damage_(damage) {}

    bool boolean() { return bytes(1)[0] != 0; }
    std::uint32_t int4();
    std::uint64_t int8();
    std::string text() { return std::string(bytes()); }
    // The JSON text of a jsonb value; valid as long as the Rows.
    std::string_view jsonb();
    Digest digest();
    Moment moment();
    Uuid uuid();
    template <class SomeId>
    SomeId id() {
        return SomeId{uuid()};
    }
    std::vector<Uuid> uuids();
    std::vector<std::string> texts();

    // Whether the next column is null; if so, skips it.
    bool null();
    // Reads the next column with `read`; absent if it is null: row.optional(&Row::text).
    template <class Read>
    auto optional(Read read) -> std::optional<decltype((this->*read)())> {
        if (null()) return std::nullopt;
        return (this->*read)();
    }

    // A column has a value that no column of its table can have: whoever reads the rows fails as
    // corrupt.
    void mark_corrupt(std::string_view table, std::string_view column);

private:
    std::string_view bytes();
    std::string_view bytes(std::size_t size);

    const pg_result* result_;
    int row_;
    std::string* damage_;
    int column_ = 0;
};

class Rows {
public:
    explicit Rows(pg_result* result) : result_(result, &clear) {}

    // Where its rows note that they are corrupt.
    void note_damage(std::string& damage) { damage_ = &damage; }
    // A row of its own, before those of the result.
    void add(pg_result* row) { single_.emplace_back(row, &clear); }
    // The bytes of all values of a result's only row.
    static std::size_t bytes_of(const pg_result* row);
    // The rows of a page exceed its bytes: the last one ends the page and does not belong to it.
    void cut() { cut_ = true; }
    // How many rows belong to a page of at most `limit`.
    std::size_t page_size(std::size_t limit) const {
        return std::min(limit, cut_ ? size() - 1 : size());
    }

    std::size_t size() const;
    Row operator[](std::size_t row) const {
        if (row < single_.size()) return {single_[row].get(), 0, damage_};
        return {result_.get(), static_cast<int>(row - single_.size()), damage_};
    }
    // The command tag: "COMMIT", "UPDATE 3".
    std::string_view tag() const;

    class Iterator {
    public:
        Iterator(const Rows& rows, std::size_t at) : rows_(&rows), at_(at) {}
        Row operator*() const { return (*rows_)[at_]; }
        Iterator& operator++() { return ++at_, *this; }
        bool operator==(const Iterator& other) const { return at_ == other.at_; }

    private:
        const Rows* rows_;
        std::size_t at_;
    };
    Iterator begin() const { return {*this, 0}; }
    Iterator end() const { return {*this, size()}; }

private:
    static void clear(pg_result* result);

    std::unique_ptr<pg_result, void (*)(pg_result*)> result_;
    std::vector<std::unique_ptr<pg_result, void (*)(pg_result*)>> single_;
    bool cut_ = false;
    std::string* damage_ = nullptr;
};

}  // namespace holdfast::postgres
