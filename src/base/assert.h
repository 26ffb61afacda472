// Always-on assertions for bugs. An operating condition is an Error, never an assertion.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace holdfast {

// Prints what broke and aborts: a durable engine may crash, recovery is a tested path.
[[noreturn]] inline void assertion_failed(const char* rule, const char* condition, const char* file,
                                          int line) {
    std::fprintf(stderr, "%s:%d: broken: %s (%s)\n", file, line, rule, condition);
    std::abort();
}

}  // namespace holdfast

// `rule` names the invariant ("I13: versions rise by one") so that a crash report says which
// promise broke.
#define HF_ASSERT(condition, rule) \
    ((condition) ? void(0) : ::holdfast::assertion_failed(rule, #condition, __FILE__, __LINE__))
