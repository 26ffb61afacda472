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

// A valid session goes on until then, if it does not anyway.
struct RenewKey {
    std::string id;
    Moment now;
    Moment until;
};

// What one transaction changes.
struct KeyChange {
    std::optional<EndKey> end;
    std::optional<RenewKey> renew = {};  // nothing, if there is no such session any more
    std::optional<ApiKey> add = {};      // its `change` is given by the store
    // With `add`: those that ended before this are deleted, keys if a key is added, but never all
    // of them, otherwise sessions and links.
    Moment forget_before = {};
    std::vector<KeyUse> uses = {};  // of keys that were last used then
};

// Keys in the order of their last changes, from all nodes.
struct KeyQuery {
    using Answer = std::vector<ApiKey>;

    std::uint64_t after = 0;  // the change of the last one of the page before
    std::size_t limit = 1'000;
    std::optional<std::string> tenant = {};  // absent: of any
    std::optional<KeyKind> kind = {};        // absent: of any
};

class Keys {
public:
    virtual ~Keys() = default;

    // False: there is no valid key to end, and nothing was changed. A reader that sees a change
    // sees all changes with lower numbers.
    virtual Result<bool> change_keys(const KeyChange& change) = 0;
};

}  // namespace holdfast
