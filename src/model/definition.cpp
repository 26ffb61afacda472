#include "model/definition.h"

namespace holdfast {

Digest content_checksum(const std::optional<std::string>& schema,
                        const std::vector<json::Path>& indexes) {
    std::string text = schema ? *schema : "null";
    for (const json::Path& path : indexes) text += '\n' + json::to_string(path);
    return sha256(text);
}

}  // namespace holdfast
