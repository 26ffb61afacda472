#include "model/instance.h"

namespace holdfast {

std::string_view name_of(Status status) {
    switch (status) {
        case Status::running: return "running";
        case Status::suspended: return "suspended";
        case Status::succeeded: return "succeeded";
        case Status::failed: return "failed";
        case Status::cancelled: return "cancelled";
    }
    return "running";
}

std::optional<Status> parse_status(std::string_view text) {
    for (const Status status :
         {Status::running, Status::suspended, Status::succeeded, Status::failed, Status::cancelled})
        if (text == name_of(status)) return status;
    return std::nullopt;
}

}  // namespace holdfast
