// Reads a compiled zone file (TZif, RFC 8536) with the rule at its end.
#pragma once

#include <memory>
#include <string_view>

#include "feel/temporal/zone.h"

namespace holdfast::feel {

class ZoneFile {
public:
    // Null: no such zone, or not a zone file.
    static std::shared_ptr<const Zone> read(std::string_view name);
    // From the content of a file; for tests too.
    static std::shared_ptr<const Zone> decode(std::string_view name, std::string_view content);
};

// The rule of a POSIX TZ string, such as CET-1CEST,M3.5.0,M10.5.0/3. Absent: not one.
std::optional<YearlyRule> parse_yearly_rule(std::string_view text);

}  // namespace holdfast::feel
