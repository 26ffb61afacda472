// An API key: who may do what, proved by a secret that only the holder has. The session of a
// browser and the link that begins one are keys too, with shorter lives.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/ids/digest.h"
#include "base/time/moment.h"
#include "model/role.h"

namespace holdfast {

// `session`: in the cookie of a browser; `link`: opens one session.
enum class KeyKind { key, session, link };

std::string_view name_of(KeyKind kind);
std::optional<KeyKind> parse_name(std::string_view text, std::type_identity<KeyKind>);

struct ApiKey {
    std::string id;  // the visible beginning of the key, by which it is found
    std::string tenant;
    std::string name;                      // for people
    std::string user;                      // who acts with it
    std::vector<std::string> groups;       // of the user
    std::vector<std::string> roles;        // names; at least one
    std::vector<std::string> definitions;  // the only ones that it reaches; empty: all
    Digest secret;                         // of the whole key; the key itself is nowhere
    Moment created_at;
    std::string created_by;  // empty: nobody in particular
    std::optional<Moment> expires_at;
    std::optional<Moment> revoked_at;
    std::optional<Moment> last_used_at;  // to a minute
    std::string replaces;                // the key that it was rotated from; empty: none
    std::uint64_t change = 0;            // the number of its last change, among all keys
    KeyKind kind = KeyKind::key;
    std::string parent = {};  // of a session or a link: the credential that it stands for

    bool has_ended(Moment now) const {
        return revoked_at.has_value() || (expires_at && *expires_at <= now);
    }
    Roles role_set() const;

    bool operator==(const ApiKey&) const = default;
};

// 256 random bits in text. Part of a key that nobody can guess.
struct IssuedKey {
    std::string id;
    std::string text;  // the whole key, shown once
    Digest secret;     // what is stored of it
};
IssuedKey make_key(KeyKind kind = KeyKind::key);
// The id in the text of a key of this kind; empty: it is none.
std::string_view key_id_in(std::string_view text, KeyKind kind = KeyKind::key);

}  // namespace holdfast
