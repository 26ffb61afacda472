// A store that forwards every call to another one; a test overrides the calls that it counts,
// delays or fails.
#pragma once

#include "store/store.h"

namespace holdfast::testing {

class ForwardingStore : public Store {
public:
    explicit ForwardingStore(Store& inner) : inner_(inner) {}

    std::size_t writer_count() const override { return inner_.writer_count(); }
    Result<std::unique_ptr<Writer>> open_writer() override { return inner_.open_writer(); }

    void read(const AnyQuestion& question) override { inner_.read(question); }

    bool is_shared() const override { return true; }
    Result<void> join(const Joining& joining) override { return inner_.join(joining); }
    Result<Beat> beat(const NodeId& node, std::chrono::microseconds lease,
                      const std::vector<std::string>& programs) override {
        return inner_.beat(node, lease, programs);
    }
    Result<void> leave(const NodeId& node) override { return inner_.leave(node); }
    Result<Claimed> claim(const Claim& claim) override { return inner_.claim(claim); }
    Result<void> give_back(const SignalId& signal, const Lease& lease,
                           std::chrono::microseconds pause, GiveBack attempt) override {
        return inner_.give_back(signal, lease, pause, attempt);
    }
    Result<std::optional<HostLock>> lock_host(const std::string& name, const std::string& owner,
                                              std::chrono::microseconds lease) override {
        return inner_.lock_host(name, owner, lease);
    }

    Result<void> announce(const Announcement& announcement) override {
        return inner_.announce(announcement);
    }
    Result<void> listen(const std::function<void()>& listening,
                        const std::function<void(const Announcement&)>& heard,
                        std::stop_token stop) override {
        return inner_.listen(listening, heard, std::move(stop));
    }

    Result<void> set_mark(const std::string& name, Moment at) override {
        return inner_.set_mark(name, at);
    }
    Result<Pruned> prune(const Prune& prune) override { return inner_.prune(prune); }
    Result<TrimmedHistories> trim_histories(const TrimHistories& trim) override {
        return inner_.trim_histories(trim);
    }
    Result<bool> change_keys(const KeyChange& change) override {
        return inner_.change_keys(change);
    }
    Result<std::size_t> append_audit(const AuditAppend& append) override {
        return inner_.append_audit(append);
    }
    Result<void> build_indexes(std::stop_token stop) override {
        return inner_.build_indexes(std::move(stop));
    }

protected:
    Store& inner_;
};

}  // namespace holdfast::testing
