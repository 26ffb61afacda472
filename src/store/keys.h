// The seam of API keys: written outside of rounds, because they are no workflow's.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/api_key.h"

namespace holdfast {

// The key with that id, which is still valid at `now`, ends; at once or later.
struct EndKey {
    std::string id;
    std::string tenant;
    Moment now;
    Moment at;  // not after `now`: it is revoked; otherwise it expires then, unless it does earlier
};

struct KeyUse {
    std::string id;
    Moment at;
};

// What one transaction changes.
struct KeyChange {
    std::optional<EndKey> end;
    std::optional<ApiKey> add;  // its `change` is given by the store
    // With `add`: keys that ended before this are deleted, but never all.
    Moment forget_before = {};
    std::vector<KeyUse> uses;  // of keys that were last used then
};

// Keys in the order of their last changes, from all nodes.
struct KeyQuery {
    using Answer = std::vector<ApiKey>;

    std::uint64_t after = 0;  // the change of the last one of the page before
    std::size_t limit = 1'000;
    std::optional<std::string> tenant = {};  // absent: of any
};

class Keys {
public:
    virtual ~Keys() = default;

    // False: there is no valid key to end, and nothing was changed. A reader that sees a change
    // sees all changes with lower numbers.
    virtual Result<bool> change_keys(const KeyChange& change) = 0;
};

}  // namespace holdfast
