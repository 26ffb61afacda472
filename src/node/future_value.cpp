#include "node/future_value.h"

#include <utility>

namespace holdfast::flow {

void FutureValue::give(Json value) {
    std::unique_lock lock(mutex_);
    value_ = std::move(value);
    arrive(std::move(lock));
}

void FutureValue::fail(std::exception_ptr failure) {
    std::unique_lock lock(mutex_);
    failure_ = std::move(failure);
    arrive(std::move(lock));
}

void FutureValue::arrive(std::unique_lock<std::mutex> lock) {
    is_here_ = true;
    const auto call = std::exchange(call_, nullptr);
    lock.unlock();
    arrived_.notify_all();
    if (call) call();
}

bool FutureValue::has_arrived() const {
    const std::lock_guard lock(mutex_);
    return is_here_;
}

void FutureValue::when_arrived(std::function<void()> arrived) {
    {
        const std::lock_guard lock(mutex_);
        if (!is_here_) {
            call_ = std::move(arrived);
            return;
        }
    }
    arrived();
}

Json FutureValue::take() {
    std::unique_lock lock(mutex_);
    arrived_.wait(lock, [this] { return is_here_; });
    if (failure_) std::rethrow_exception(failure_);
    return std::move(value_);
}

std::shared_ptr<FutureValue> make_future_value() { return std::make_shared<FutureValue>(); }
bool has_arrived(const FutureValue& arrival) { return arrival.has_arrived(); }
void when_arrived(FutureValue& arrival, std::function<void()> arrived) {
    arrival.when_arrived(std::move(arrived));
}
Json take_arrived(FutureValue& arrival) { return arrival.take(); }
std::string text_of(const Json& text) { return std::string(text.get_string()); }
Sent sent_of(const Json& sent) { return static_cast<Sent>(sent.get_int64()); }
std::string ResultPlace::text() const { return "workflow " + id + ", its result"; }

}  // namespace holdfast::flow
