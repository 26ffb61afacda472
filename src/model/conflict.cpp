#include "model/conflict.h"

namespace holdfast {
namespace {

template <class Enum, std::size_t size>
std::optional<Enum> find_name(const Enum (&all)[size], std::string_view text) {
    for (const Enum one : all)
        if (text == name_of(one)) return one;
    return std::nullopt;
}

}  // namespace

std::string_view name_of(OnConflict strategy) {
    switch (strategy) {
        case OnConflict::reject: return "reject";
        case OnConflict::server_wins: return "server-wins";
        case OnConflict::client_wins: return "client-wins";
        case OnConflict::merge: return "merge";
    }
    return "reject";
}

std::optional<OnConflict> parse_on_conflict(std::string_view text) {
    static constexpr OnConflict all[] = {OnConflict::reject, OnConflict::server_wins,
                                         OnConflict::client_wins, OnConflict::merge};
    return find_name(all, text);
}

std::string_view name_of(Resolution resolution) {
    switch (resolution) {
        case Resolution::rejected: return "rejected";
        case Resolution::server_wins: return "server-wins";
        case Resolution::client_wins: return "client-wins";
        case Resolution::merged: return "merged";
        case Resolution::overlapping: return "overlapping";
        case Resolution::base_missing: return "base-missing";
    }
    return "rejected";
}

std::optional<Resolution> parse_resolution(std::string_view text) {
    static constexpr Resolution all[] = {Resolution::rejected,    Resolution::server_wins,
                                         Resolution::client_wins, Resolution::merged,
                                         Resolution::overlapping, Resolution::base_missing};
    return find_name(all, text);
}

}  // namespace holdfast
