#include "http/access/key_ring.h"

#include <openssl/crypto.h>

#include <algorithm>

#include "base/log.h"

namespace holdfast::http {
namespace {

constexpr std::size_t page_size = 1'000;
constexpr std::chrono::minutes note_every{1};

}  // namespace

KeyRing::KeyRing(Store& store, const Clock& clock, WorkerPool& workers, Ages ages)
    : store_(store), clock_(clock), workers_(workers), ages_(ages) {}

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
            any_ = true;
        }
        if (changed.size() < page_size) return {};
    }
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

std::size_t KeyRing::count() const {
    const std::shared_lock lock(mutex_);
    return keys_.size();
}

std::shared_ptr<const ApiKey> KeyRing::find_by_id(const std::string& id) const {
    const std::shared_lock lock(mutex_);
    const auto found = keys_.find(id);
    return found == keys_.end() ? nullptr : found->second.key;
}

std::shared_ptr<const ApiKey> KeyRing::find(std::string_view text) {
    const std::string_view id = key_id_in(text);
    if (id.empty()) return nullptr;
    const Digest digest = sha256(text);
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
    const bool same =
        CRYPTO_memcmp(digest.bytes.data(), expected.bytes.data(), digest.bytes.size()) == 0;
    if (!key || !same || key->has_ended(now)) return nullptr;
    if (now - noted_at >= note_every) note_use(key->id, now);
    return key;
}

bool KeyRing::is_valid(const std::string& id) const {
    const std::shared_lock lock(mutex_);
    const auto found = keys_.find(id);
    return found != keys_.end() && !found->second.key->has_ended(clock_.now());
}

void KeyRing::note_use(const std::string& id, Moment now) {
    {
        const std::unique_lock lock(mutex_);
        Entry& entry = keys_[id];
        if (now - entry.noted_at < note_every) return;  // another request was first
        entry.noted_at = now;
    }
    WorkerPool::WorkItem work = [this, id, now] {
        const auto noted = store_.change_keys({.uses = {{id, now}}});
        if (!noted) log::warn("keys.use_not_noted", {{"message", noted.error().message}});
    };
    (void)workers_.post(work);
}

}  // namespace holdfast::http
