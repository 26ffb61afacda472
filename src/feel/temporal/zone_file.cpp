#include "feel/temporal/zone_file.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>

namespace holdfast::feel {
namespace {

constexpr std::string_view folder = "/usr/share/zoneinfo/";
constexpr std::size_t longest_zone_name = 64;
constexpr std::size_t longest_file = 256 * 1024;
constexpr std::size_t header_size = 44;

bool is_name_sign(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '+' || c == '-' || c == '/';
}

// Keeps the path inside the folder: no dots, no leading slash.
bool is_name(std::string_view name) {
    return !name.empty() && name.size() <= longest_zone_name && name[0] != '/' &&
           std::ranges::all_of(name, is_name_sign);
}

std::int64_t big_endian(std::string_view bytes) {
    std::uint64_t number = bytes[0] < 0 ? ~std::uint64_t{0} : 0;
    for (const char byte : bytes) number = number << 8 | static_cast<unsigned char>(byte);
    return static_cast<std::int64_t>(number);
}

// The counts of a header, and the size of its block of data.
struct Header {
    std::size_t times;
    std::size_t types;
    std::size_t signs;
    std::size_t leaps;
    std::size_t standards;
    std::size_t universals;

    std::size_t block_size(std::size_t time_size) const {
        return times * time_size + times + types * 6 + signs + leaps * (time_size + 4) + standards +
               universals;
    }
};

std::optional<Header> header_of(std::string_view content) {
    if (content.size() < header_size || !content.starts_with("TZif")) return std::nullopt;
    const auto count = [&](int index) {
        const auto number = big_endian(content.substr(20 + index * 4, 4));
        return static_cast<std::size_t>(std::clamp<std::int64_t>(number, 0, longest_file));
    };
    return Header{.times = count(3),
                  .types = count(4),
                  .signs = count(5),
                  .leaps = count(2),
                  .standards = count(1),
                  .universals = count(0)};
}

// Reads from the front of a POSIX TZ string.
class RuleReader {
public:
    explicit RuleReader(std::string_view text) : rest_(text) {}

    bool at_end() const { return rest_.empty(); }
    bool take(char sign) {
        if (!rest_.starts_with(sign)) return false;
        rest_.remove_prefix(1);
        return true;
    }
    bool skip_name() {
        std::size_t size = 0;
        if (take('<')) {
            size = rest_.find('>');
            if (size == std::string_view::npos) return false;
            rest_.remove_prefix(size + 1);
            return true;
        }
        while (size < rest_.size() && std::isalpha(static_cast<unsigned char>(rest_[size]))) ++size;
        rest_.remove_prefix(size);
        return size >= 3;
    }
    std::optional<int> number() {
        int number = 0;
        const auto read = std::from_chars(rest_.data(), rest_.data() + rest_.size(), number);
        if (read.ec != std::errc{} || rest_.starts_with('-') || number > 10'000)
            return std::nullopt;
        rest_.remove_prefix(static_cast<std::size_t>(read.ptr - rest_.data()));
        return number;
    }
    // [+-]h[:m[:s]] in seconds.
    std::optional<std::int32_t> clock() {
        const bool negative = take('-');
        if (!negative) (void)take('+');
        auto total = number();
        if (!total) return std::nullopt;
        std::int32_t seconds = *total * 3600;
        for (const int unit : {60, 1}) {
            if (!take(':')) break;
            const auto part = number();
            if (!part) return std::nullopt;
            seconds += *part * unit;
        }
        return negative ? -seconds : seconds;
    }
    std::optional<YearlyChange> change() {
        YearlyChange change;
        if (!take(',')) return std::nullopt;
        if (take('M')) {
            const auto month = number();
            const auto week = take('.') ? number() : std::nullopt;
            const auto day = take('.') ? number() : std::nullopt;
            if (!month || !week || !day) return std::nullopt;
            if (*month < 1 || *month > 12 || *week < 1 || *week > 5 || *day > 6)
                return std::nullopt;
            change = {YearlyChange::Form::month_week_day, *month, *week, *day};
        } else {
            change.form =
                take('J') ? YearlyChange::Form::day_without_leap : YearlyChange::Form::day_of_year;
            const auto day = number();
            if (!day || *day > 366) return std::nullopt;
            change.day = *day;
        }
        if (!take('/')) return change;
        const auto second = clock();
        if (!second) return std::nullopt;
        change.second = *second;
        return change;
    }

private:
    std::string_view rest_;
};

}  // namespace

std::optional<YearlyRule> parse_yearly_rule(std::string_view text) {
    RuleReader reader(text);
    YearlyRule rule;
    if (!reader.skip_name()) return std::nullopt;
    const auto standard = reader.clock();
    if (!standard) return std::nullopt;
    rule.standard = -*standard;  // POSIX counts west of Greenwich
    rule.summer = rule.standard + 3600;
    if (reader.at_end()) return rule;
    if (!reader.skip_name()) return std::nullopt;
    if (const auto summer = reader.clock()) rule.summer = -*summer;
    rule.begin = reader.change();
    rule.end = reader.change();
    if (!rule.begin || !rule.end || !reader.at_end()) return std::nullopt;
    return rule;
}

std::shared_ptr<const Zone> ZoneFile::read(std::string_view name) {
    if (!is_name(name)) return nullptr;
    const std::string path = std::string(folder) + std::string(name);
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) return nullptr;
    std::ifstream file(path, std::ios::binary);
    std::string content(longest_file, '\0');
    file.read(content.data(), static_cast<std::streamsize>(content.size()));
    content.resize(static_cast<std::size_t>(file.gcount()));
    return decode(name, content);
}

std::shared_ptr<const Zone> ZoneFile::decode(std::string_view name, std::string_view content) {
    const auto first = header_of(content);
    if (!first || content[4] < '2') return nullptr;
    const std::size_t second_at = header_size + first->block_size(4);
    if (second_at >= content.size()) return nullptr;
    content.remove_prefix(second_at);
    const auto header = header_of(content);
    if (!header || header->types == 0) return nullptr;
    if (content.size() < header_size + header->block_size(8)) return nullptr;

    const std::string_view times = content.substr(header_size);
    const std::string_view kinds = times.substr(header->times * 8);
    const std::string_view types = kinds.substr(header->times);
    const auto offset_of = [&](std::size_t type) {
        return static_cast<std::int32_t>(big_endian(types.substr(type * 6, 4)));
    };
    auto zone = std::make_shared<Zone>();
    zone->name_ = name;
    zone->first_offset_ = offset_of(0);
    for (std::size_t i = 0; i < header->times; ++i) {
        const auto type = static_cast<unsigned char>(kinds[i]);
        if (type >= header->types) return nullptr;
        zone->transitions_.push_back({big_endian(times.substr(i * 8, 8)), offset_of(type)});
    }
    std::string_view footer = content.substr(header_size + header->block_size(8));
    if (footer.starts_with('\n')) footer.remove_prefix(1);
    const auto rule = parse_yearly_rule(footer.substr(0, footer.find('\n')));
    if (rule) {
        zone->rule_ = *rule;
    } else {
        const auto& last = zone->transitions_;
        zone->rule_.standard = last.empty() ? zone->first_offset_ : last.back().offset;
    }
    return zone;
}

}  // namespace holdfast::feel
