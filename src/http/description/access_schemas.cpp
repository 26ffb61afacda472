// Credentials and who has them.
#include "http/description/schemas.h"

namespace holdfast::http {
namespace {

constexpr SchemaText access_list[] = {
    {"Role", "What a credential may do.",
     R"(["viewer", "participant", "worker", "operator", "admin"])"},
    {"KeyKind", "An API key, or the session of a browser.", R"(["key", "session"])"},
    {"ApiKey", "An API key, without its secret.",
     R"({"id": "string", "kind": "KeyKind", "name": "string", "user": "string",
         "groups": "string[]", "roles": "Role[]", "definitions": "string[]", "createdAt": "Moment",
         "createdBy": "string|null", "expiresAt": "Moment|null", "revokedAt": "Moment|null",
         "lastUsedAt": "Moment|null", "replaces": "string|null", "parent": "string|null",
         "valid": "boolean"})",
     R"({"id": "3f9c0a7be2d14c58", "kind": "key", "name": "ci", "user": "ci", "groups": [],
         "roles": ["operator"], "definitions": [], "createdAt": "2026-01-28T10:00:00.000000Z",
         "createdBy": null,
         "expiresAt": null, "revokedAt": null, "lastUsedAt": null, "replaces": null, "parent": null,
         "valid": true})"},
    {"NewApiKey", "A new key. Its text is shown here only.",
     R"({"...": "ApiKey", "key": "string"})"},
    {"ApiKeyPage", "A page of keys, by their last change.",
     R"({"items": "ApiKey[]", "nextCursor": "Cursor"})"},
    {"CreateKeyRequest", "Who may do what with the key.",
     R"({"name": "string", "user?": "string|null", "groups?": "string[]|null", "roles": "Role[]",
         "definitions?": "string[]|null", "expiresIn?": "string|null"})",
     R"({"name": "ci", "roles": ["operator"], "expiresIn": "2160h"})"},
    {"RotateKeyRequest", "How long the old key stays valid beside the new one.",
     R"({"overlap?": "string|null"})", R"({"overlap": "24h"})"},
    {"SignInRequest", "What the browser acts for: a key or a token, or a sign-in link.",
     R"({"key?": "string|null", "link?": "string|null"})", R"({"key": "hf_3f9c0a7be2d14c58_..."})"},
    {"SignInLink", "A path of this server that opens one session.",
     R"({"path": "string", "expiresAt": "Moment"})",
     R"({"path": "/#sign-in=hfl_3f9c0a7be2d14c58_...",
         "expiresAt": "2026-01-28T10:10:00.000000Z"})"},
    {"AuditRow",
     "What somebody did. `hash` is the SHA-256 of the hash of the row before and of the canonical "
     "JSON of this one without it.",
     R"({"number": "uint", "at": "Moment", "tenant": "string", "action": "string",
         "target": "string", "status": "uint", "user": "string|null", "by": "string|null",
         "credential": "string|null", "address": "string|null", "node": "string",
         "count": "uint", "detail": "any", "hash": "string"})",
     R"({"number": 7, "at": "2026-01-28T10:00:00.000000Z", "tenant": "default",
         "action": "createKey", "target": "/api/v1/keys", "status": 201, "user": "ada", "by": null,
         "credential": "3f9c0a7be2d14c58", "address": "192.0.2.1", "node": "a", "count": 1,
         "detail": {"made": "/api/v1/keys/9b1d"}, "hash": "5df6e0e2"})"},
    {"AuditPage",
     "A page of rows; the number and the hash of the newest row, and of the last one that "
     "retention "
     "has removed.",
     R"({"items": "AuditRow[]", "nextCursor": "Cursor", "newest": "uint",
         "newestHash": "string", "forgotten": "uint", "forgottenHash": "string"})"},
    {"Me", "Who the request comes from.",
     R"({"credential": "string", "user": "string|null", "groups": "string[]", "roles": "Role[]",
         "definitions": "string[]", "tenant": "string"})",
     R"({"credential": "3f9c0a7be2d14c58", "user": "ada", "groups": ["finance"],
         "roles": ["viewer", "participant"], "definitions": [], "tenant": "default"})"},
};

}  // namespace

std::span<const SchemaText> access_schemas() { return access_list; }

}  // namespace holdfast::http
