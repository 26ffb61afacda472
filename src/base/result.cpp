#include "base/result.h"

namespace holdfast {

std::string_view name_of(ErrorCode code) {
    switch (code) {
        case ErrorCode::invalid_argument: return "invalid-argument";
        case ErrorCode::malformed_json: return "malformed-json";
        case ErrorCode::unrepresentable: return "number-not-exact";
        case ErrorCode::unsupported_media: return "unsupported-media-type";
        case ErrorCode::not_found: return "not-found";
        case ErrorCode::conflict: return "conflict";
        case ErrorCode::refused: return "refused-by-store";
        case ErrorCode::key_reused: return "idempotency-key-reused";
        case ErrorCode::overloaded: return "overloaded";
        case ErrorCode::shutting_down: return "shutting-down";
        case ErrorCode::unavailable: return "store-unavailable";
        case ErrorCode::outcome_unknown: return "outcome-unknown";
        case ErrorCode::corrupt: return "corrupt";
        case ErrorCode::newer_schema: return "newer-schema";
        case ErrorCode::in_use: return "in-use";
        case ErrorCode::internal: return "internal";
    }
    return "internal";
}

}  // namespace holdfast
