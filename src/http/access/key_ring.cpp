#include "http/access/key_ring.h"

#include <openssl/crypto.h>

#include <algorithm>

#include "base/log.h"

namespace holdfast::http {
namespace {

constexpr std::size_t page_size = 1'000;
constexpr std::chrono::minutes note_every{1};

}  // namespace

Digest secret_of(std::string_view text, std::string_view parent,
                 const std::optional<Digest>& token) {
    return parent == token_file_credential && token ? sha256(*token, text) : sha256(text);
}

KeyRing::KeyRing(Store& store, const Clock& clock, WorkerPool& workers, Ages ages,
                 SessionTimes times)
    : store_(store), clock_(clock), workers_(workers), ages_(ages), times_(times) {}

Result<void> KeyRing::refresh() {
    const std::lock_guard lock(refreshing_);
    const auto now = Steady::now();
    HF_CHECK(read_changes());
    read_at_ = now;
    return {};
}

Result<void> KeyRing::read_changes() {
    for (;;) {
        HF_TRY(const auto changed, store_.ask(KeyQuery{.after = newest_, .limit = page_size}));
        const std::unique_lock lock(mutex_);
        for (const ApiKey& key : changed) {
            newest_ = key.change;
            Entry& entry = keys_[key.id];
            entry.noted_at = std::max(entry.noted_at, key.last_used_at.value_or(Moment{}));
            entry.key = std::make_shared<const ApiKey>(key);
            if (key.kind == KeyKind::key) any_ = true;
        }
        if (!changed.empty()) forget_ended_sessions();
        if (changed.size() < page_size) return {};
    }
}

// Under the mutex.
void KeyRing::forget_ended_sessions() {
    std::erase_if(keys_, [now = clock_.now()](const auto& item) {
        const ApiKey& key = *item.second.key;
        return key.kind != KeyKind::key && key.has_ended(now);
    });
}

KeyRing::Age KeyRing::age() const {
    const auto read_at = read_at_.load();
    if (read_at == Steady::time_point::min()) return Age::stale;
    if (!store_.is_shared()) return Age::fresh;
    const auto age = Steady::now() - read_at;
    if (age < ages_.fresh_for) return Age::fresh;
    return age < ages_.usable_for ? Age::aging : Age::stale;
}

void KeyRing::refresh_soon() {
    if (refresh_posted_.exchange(true)) return;
    WorkerPool::WorkItem work = [this] {
        if (const auto done = refresh(); !done)
            log::warn("keys.not_read", {{"message", done.error().message}});
        refresh_posted_ = false;
    };
    if (!workers_.post(work)) refresh_posted_ = false;
}

bool KeyRing::refresh_then(std::move_only_function<void(const Result<void>&)> go_on) {
    WorkerPool::WorkItem work = [this, go_on = std::move(go_on)]() mutable {
        go_on(age() == Age::fresh ? Result<void>() : refresh());
    };
    return workers_.post(work);
}

std::size_t KeyRing::count(KeyKind kind) const {
    const Moment now = clock_.now();
    const std::shared_lock lock(mutex_);
    return static_cast<std::size_t>(std::ranges::count_if(keys_, [&](const auto& item) {
        const ApiKey& key = *item.second.key;
        return key.kind == kind && (kind == KeyKind::key || !key.has_ended(now));
    }));
}

std::vector<std::shared_ptr<const ApiKey>> KeyRing::sessions_of(const std::string& parent,
                                                                const std::string& user) const {
    const Moment now = clock_.now();
    std::vector<std::shared_ptr<const ApiKey>> found;
    const std::shared_lock lock(mutex_);
    for (const auto& [id, entry] : keys_) {
        const ApiKey& key = *entry.key;
        if (key.kind == KeyKind::session && key.parent == parent && key.user == user &&
            !key.has_ended(now))
            found.push_back(entry.key);
    }
    std::ranges::sort(found, {}, [](const auto& key) { return key->created_at; });
    return found;
}

std::shared_ptr<const ApiKey> KeyRing::find_by_id(const std::string& id) const {
    const std::shared_lock lock(mutex_);
    const auto found = keys_.find(id);
    return found == keys_.end() ? nullptr : found->second.key;
}

std::shared_ptr<const ApiKey> KeyRing::find(std::string_view text, KeyKind kind,
                                            const std::optional<Digest>& token) {
    const std::string_view id = key_id_in(text, kind);
    if (id.empty()) return nullptr;
    const Moment now = clock_.now();
    std::shared_ptr<const ApiKey> key;
    Moment noted_at;
    {
        const std::shared_lock lock(mutex_);
        if (const auto found = keys_.find(id); found != keys_.end()) {
            key = found->second.key;
            noted_at = found->second.noted_at;
        }
    }
    static constexpr Digest nobodys{};
    const Digest& expected = key ? key->secret : nobodys;
    const Digest digest = secret_of(text, key ? key->parent : "", token);
    const bool same =
        CRYPTO_memcmp(digest.bytes.data(), expected.bytes.data(), digest.bytes.size()) == 0;
    if (!key || !same || key->kind != kind || !is_valid(key->id)) return nullptr;
    if (now - noted_at >= note_every) note_use(key->id, now);
    return key;
}

bool KeyRing::is_valid(const std::string& id) const {
    const Moment now = clock_.now();
    const std::shared_lock lock(mutex_);
    const auto found = keys_.find(id);
    return found != keys_.end() && !found->second.key->has_ended(now) &&
           has_valid_parent(*found->second.key, now);
}

// Under the mutex. What else stands for a token is known by the node that has it.
bool KeyRing::has_valid_parent(const ApiKey& key, Moment now) const {
    if (key.kind == KeyKind::key || key.parent == token_file_credential ||
        key.parent == token_credential)
        return true;
    if (key.parent == local_credential) return !any_;
    const auto parent = keys_.find(key.parent);
    return parent != keys_.end() && !parent->second.key->has_ended(now);
}

// What a token of an identity provider has begun ends with the token.
std::optional<RenewKey> KeyRing::renewal_of(const ApiKey& key, Moment now) const {
    if (key.kind != KeyKind::session || key.parent == token_credential) return std::nullopt;
    const Moment until = std::min(now + times_.idle, key.created_at + times_.length);
    // Not with every request: it is a change that all nodes read.
    if (until - *key.expires_at < std::chrono::seconds(times_.idle) / 16) return std::nullopt;
    return RenewKey{key.id, now, until};
}

void KeyRing::note_use(const std::string& id, Moment now) {
    KeyChange change{.uses = {{id, now}}};
    {
        const std::unique_lock lock(mutex_);
        const auto found = keys_.find(id);
        if (found == keys_.end() || now - found->second.noted_at < note_every)
            return;  // another request was first
        found->second.noted_at = now;
        change.renew = renewal_of(*found->second.key, now);
    }
    WorkerPool::WorkItem work = [this, change = std::move(change)] {
        const auto noted = store_.change_keys(change);
        if (!noted) log::warn("keys.use_not_noted", {{"message", noted.error().message}});
        if (!noted || !change.renew) return;
        if (const auto read = refresh(); !read)
            log::warn("keys.not_read", {{"message", read.error().message}});
    };
    (void)workers_.post(work);
}

}  // namespace holdfast::http
