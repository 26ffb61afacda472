#include "app/exit_code.h"

namespace holdfast::app {

ExitCode exit_code_of(ErrorCode code) {
    switch (code) {
        case ErrorCode::invalid_argument:
        case ErrorCode::malformed_json:
        case ErrorCode::unrepresentable: return ExitCode::usage;
        case ErrorCode::not_found: return ExitCode::not_found;
        case ErrorCode::conflict: return ExitCode::conflict;
        default: return ExitCode::failed;
    }
}

ExitCode exit_code_of_status(int http_status) {
    if (http_status < 400) return ExitCode::ok;
    switch (http_status) {
        case 404: return ExitCode::not_found;
        case 409:
        case 412: return ExitCode::conflict;
        default: return ExitCode::failed;
    }
}

}  // namespace holdfast::app
