// The kinds of programs: each compiles the source of a definition into a program.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "model/definition.h"
#include "program/program.h"

namespace holdfast {

class ProgramKinds {
public:
    using Compile =
        std::function<Result<std::shared_ptr<const Program>>(const Definition& definition)>;

    // All that this process knows. To add a kind, add its folder and one line in kinds.cpp; a
    // kind of the tests is added before any store is opened.
    static ProgramKinds& known();

    void add(std::string kind, Compile compile);
    // corrupt: no such kind, or the source does not compile.
    Result<std::shared_ptr<const Program>> compile(const Definition& definition) const;

private:
    std::map<std::string, Compile, std::less<>> kinds_;
};

}  // namespace holdfast
