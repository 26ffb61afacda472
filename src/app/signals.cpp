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

void wait_for_stop_signal() {
    const sigset_t signals = stop_signals();
    int arrived = 0;
    sigwait(&signals, &arrived);
}

void send_stop_signal() { ::kill(::getpid(), SIGTERM); }

}  // namespace holdfast::app
