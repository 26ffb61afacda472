#include "store/nodes.h"

#include "base/names.h"

namespace holdfast {
namespace {

constexpr Named<HolderKind> kinds[] = {{HolderKind::node, "node"}, {HolderKind::worker, "worker"}};

}  // namespace

std::string_view name_of(HolderKind kind) { return name_in(kinds, kind); }
std::optional<HolderKind> parse_holder_kind(std::string_view text) { return find_in(kinds, text); }

}  // namespace holdfast
