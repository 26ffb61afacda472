// A function as a value: one of the built-ins, or a definition with its captured values.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "feel/values/value.h"

namespace holdfast::feel {

struct Builtin;
struct FunctionNode;
struct Program;

struct Function {
    // The rows of one name; empty for a definition.
    std::span<const Builtin> builtins;

    std::shared_ptr<const Program> program;  // keeps `definition` alive
    const FunctionNode* definition = nullptr;
    std::vector<Value> captures;
    std::uint32_t height = 1;
};

// Whether it can be called with this number of arguments.
bool accepts(const Function& function, std::size_t arguments);

}  // namespace holdfast::feel
