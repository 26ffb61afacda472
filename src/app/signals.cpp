#include "app/signals.h"

#include <unistd.h>

#include <csignal>

namespace holdfast::app {
namespace {

sigset_t stop_signals() {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGINT);
    return signals;
}

}  // namespace

void block_stop_signals() {
    const sigset_t signals = stop_signals();
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    std::signal(SIGPIPE, SIG_IGN);
}

void block_hangup() {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
}

void wait_for_stop_signal(const std::function<void()>& on_hangup) {
    sigset_t signals = stop_signals();
    if (on_hangup) sigaddset(&signals, SIGHUP);
    int arrived = SIGHUP;
    while (arrived == SIGHUP) {
        sigwait(&signals, &arrived);
        if (arrived == SIGHUP) on_hangup();
    }
}

void send_stop_signal() { ::kill(::getpid(), SIGTERM); }

}  // namespace holdfast::app
