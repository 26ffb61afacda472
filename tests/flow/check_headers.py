"""Public headers compile alone, include no internal header, and reject misuse with a message that names the fix."""
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
CXX = [os.environ.get("CXX", "g++"), "-std=c++23", "-fsyntax-only", f"-I{ROOT}/include"]

MAY_INCLUDE = re.compile(r'<boost/(json(/[\w/]+)?|describe/\w+)\.hpp>|<[a-z_]+>|"holdfast/\w+\.h"')
NEVER_REACHED = re.compile(r"/(libpq-fe|sqlite3|spdlog|prometheus|boost/asio|boost/beast|openssl)\b")

# Invalid bodies of a flow, and the compiler's message.
MISUSE = {
    "co_await std::suspend_always{};": "a flow awaits only what is durable",
    'co_await ctx.any(ctx.step("a", [] {}), ctx.sleep(1s));': "ctx.any races waits",
    'co_await ctx.step("a", [] { return Opaque{}; });': "the result of a step is stored as JSON",
    'co_await ctx.step("a", [] { return other(); });': "a step is ordinary code",
    "co_await ctx.event<Opaque>(\"a\");": "holdfast stores this value as JSON",
    "co_await ctx.child(\"a\", Opaque{});": "holdfast stores this value as JSON",
    "co_await other_future();": "a flow awaits only what is durable",
}
# Temporaries that g++ before 13 miscompiles.
UNNAMED = {
    'co_await ctx.step("a", [text = std::string("b")] { return text; });': "give it a name first",
    'co_await ctx.human_task(holdfast::TaskRequest{.name = "a"});': "give it a name first",
}
# Functions that a node rejects as flows.
NO_FLOW = {
    "int plain(holdfast::Context&);": "a flow is a coroutine",
    "holdfast::Flow<> plain(int);": "a flow is a coroutine",
    "holdfast::Flow<Opaque> plain(holdfast::Context&);": "the result of a flow is stored as JSON",
    "holdfast::Flow<> plain(holdfast::Context&, Opaque);": "holdfast stores this value as JSON",
}
# Precompiled once for all the programs below.
HEADERS = """
#include <future>
#include "holdfast/node.h"
"""
FRAME = """
#include "frame.h"
using namespace std::chrono_literals;
struct Opaque { void* handle; };
holdfast::Flow<> other();
std::future<int> other_future();
holdfast::Flow<> flow(holdfast::Context& ctx) { %s }
"""


def compile_text(folder, text, *flags):
    file = folder / "program.cpp"
    file.write_text(text)
    return subprocess.run([*CXX, f"-I{folder}", *flags, file], capture_output=True, text=True)


def precompile(folder):
    """g++ reads frame.h.gch instead of frame.h; clang reads the header each time."""
    header = folder / "frame.h"
    header.write_text(HEADERS)
    command = [argument for argument in CXX if argument != "-fsyntax-only"]
    subprocess.run([*command, "-x", "c++-header", header, "-o", folder / "frame.h.gch"], check=True)


def main():
    with tempfile.TemporaryDirectory(prefix="holdfast_headers.") as folder:
        return check(Path(folder))


def check(folder):
    problems = []
    precompile(folder)
    headers = sorted((ROOT / "include/holdfast").glob("*.h"))
    for header in headers:
        for number, line in enumerate(header.read_text().split("\n"), 1):
            match = re.match(r"\s*#include\s+(.*)", line)
            if match and not MAY_INCLUDE.fullmatch(match[1].strip()):
                problems.append(f"{header.name}:{number}: a public header must not include {match[1]}")
    everything = "".join(f'#include "holdfast/{header.name}"\n' for header in headers)
    reached = compile_text(folder, everything, "-H")
    if reached.returncode != 0:
        problems.append("the headers do not compile:\n" + reached.stderr[-2000:])
    problems += [f"reaches {line.strip('. ')}" for line in reached.stderr.split("\n")
                 if line.startswith(".") and (NEVER_REACHED.search(line) or f"{ROOT}/src/" in line)]
    version = subprocess.run([CXX[0], "-dM", "-E", "-xc++", "/dev/null"], capture_output=True, text=True).stdout
    if "__clang__" not in version and int(re.search(r"__GNUC__ (\d+)", version)[1]) < 13:
        MISUSE.update(UNNAMED)
    good = compile_text(folder, FRAME % 'co_await ctx.step("a", [] {});')
    if good.returncode != 0:
        problems.append("a plain flow does not compile:\n" + good.stderr[-2000:])
    for body, said in MISUSE.items():
        result = compile_text(folder, FRAME % body)
        if result.returncode == 0 or said not in result.stderr:
            problems.append(f"`{body}` should be refused with: {said}")
    for declaration, said in NO_FLOW.items():
        result = compile_text(folder, FRAME % "co_return;" + declaration +
                              '\nvoid add(holdfast::Node& node) { node.add("plain", plain); }\n')
        if result.returncode == 0 or said not in result.stderr:
            problems.append(f"`{declaration}` should be refused with: {said}")
    for problem in problems:
        print(problem)
    print(f"{len(headers)} headers, {len(MISUSE) + len(NO_FLOW)} misuses: {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
