// Containment and paths with PostgreSQL's jsonb semantics, so that a query has the same result in
// every store.
#pragma once

#include <boost/json/value.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/effort.h"
#include "base/result.h"

namespace holdfast::json {

namespace bj = boost::json;

// `whole @> part`: objects by member, arrays as sets, scalars by value; a top-level array also
// contains a bare scalar that is one of its elements.
bool contains(const bj::value& whole, const bj::value& part);

// The part of `contains`, prepared for many documents. Scalars in lists cost one pass over the list
// of the document; each object or list inside of a list is compared with every element.
class Containment {
public:
    explicit Containment(const bj::value& part);
    Containment(Containment&&) noexcept;
    Containment& operator=(Containment&&) noexcept;
    ~Containment();

    // Without meaning if the effort is exhausted.
    bool is_in(const bj::value& whole, Effort& effort) const;

private:
    struct Wanted;

    static Wanted prepare(const bj::value& part);
    static bool covers(const bj::value& whole, const Wanted& wanted, Effort& effort);
    static bool covers_members(const bj::object& whole, const Wanted& wanted, Effort& effort);
    static bool covers_elements(const bj::array& whole, const Wanted& wanted, Effort& effort);
    static bool covers_scalars(const bj::array& whole, const Wanted& wanted, Effort& effort);

    std::unique_ptr<const Wanted> wanted_;
};

// invalid_argument: too many objects and lists inside of lists to be compared with a large
// document.
Result<void> check_containment(const bj::value& part);

// A dotted path into a document: "agentContext.currentAgent".
struct Path {
    std::vector<std::string> segments;

    auto operator<=>(const Path&) const = default;
};

// 1 to 16 segments of [A-Za-z0-9_-]{1,64}. invalid_argument otherwise.
Result<Path> parse_path(std::string_view text);
std::string to_string(const Path& path);

// Like `#>`: an integer segment also indexes an array (negative: from its end). Null: no value.
const bj::value* find(const bj::value& value, const Path& path);
// Like `#>>`, for scalars only (see scalar_text). Absent: no value, null, an object or an array.
std::optional<std::string> text_at(const bj::value& value, const Path& path);

// The scalars inside `part` that containment requires at a fixed path: recurses into objects, not
// arrays. Skips values without a text (null) or a Path (for example a key with a dot).
struct Leaf {
    Path path;
    std::string text;
};
std::vector<Leaf> leaves(const bj::value& part);

}  // namespace holdfast::json
