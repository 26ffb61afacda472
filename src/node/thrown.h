// Converts errors to exceptions, for user code.
#pragma once

#include "base/result.h"
#include "holdfast/errors.h"

namespace holdfast {

[[noreturn]] inline void throw_error(const Error& error) {
    switch (error.code) {
        case ErrorCode::invalid_argument:
        case ErrorCode::key_reused:
        case ErrorCode::not_found:
        case ErrorCode::refused: throw Misuse(error.message);
        default: throw Unavailable(error.message);
    }
}

template <class T>
T value_of(Result<T> result) {
    if (!result) throw_error(result.error());
    return *std::move(result);
}

template <class... Fs>
struct Each : Fs... {
    using Fs::operator()...;
};

}  // namespace holdfast
