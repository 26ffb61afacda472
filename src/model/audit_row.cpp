#include "model/audit_row.h"

#include <boost/json/parse.hpp>

#include "base/json/canonical.h"

namespace holdfast {
namespace {

boost::json::value or_null(const std::string& text) {
    if (text.empty()) return nullptr;
    return boost::json::string(text);
}

// Somebody may have changed what is stored: then it is shown as it is.
boost::json::value detail_of(const std::string& text) {
    boost::system::error_code error;
    boost::json::value detail = boost::json::parse(text, error);
    return error ? boost::json::value(boost::json::string(text)) : detail;
}

}  // namespace

boost::json::object audit_json(const AuditRow& row) {
    return {{"number", row.number},
            {"at", to_iso8601(row.at)},
            {"tenant", row.tenant},
            {"action", row.action},
            {"target", row.target},
            {"status", row.status},
            {"user", or_null(row.user)},
            {"by", or_null(row.by)},
            {"credential", or_null(row.credential)},
            {"address", or_null(row.address)},
            {"node", row.node},
            {"count", row.count},
            {"detail", detail_of(row.detail)}};
}

Digest audit_hash(const Digest& before, const boost::json::object& shown) {
    return sha256(before, json::canonical(shown));
}

}  // namespace holdfast
