"""The hard limits of the style, for one C++ file. Every rule yields (line, rule, message)."""
import re

from cpp_source import Source, opener

COLUMNS = 100
FILE_LINES = {".cpp": 500, ".h": 200}
FUNCTION_LINES = 60

NO_NAMES = ("manager", "helper", "util", "common", "misc", "impl", "service", "base", "info", "data",
            "new", "legacy")
NO_NAME = re.compile(rf"(?:{'|'.join(NO_NAMES)})s?|v[2-6]")
WORD = re.compile(r"V\d+$|[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
TYPE = re.compile(r"\b(?:class|struct|union|concept|enum(?:\s+class|\s+struct)?)\s+(?:\[\[.*?\]\]\s*)?"
                  r"(?:\w+::)*([A-Z]\w*)|\busing\s+([A-Z]\w*)\s*=")

BOOL = re.compile(r"[(,]\s*(?:const\s+)?bool(?:\s+const)?\s*&{0,2}\s*(?:\w+\s*(?=[,)=])|(?=[,)]))")
NO_DECLARATION = re.compile(r"(?:\]|\boperator\s*[^\s\w]+|\b(?:if|for|while|switch|catch|void))\s*$")

NOT_OUTSIDE_BASE = (
    ("clock", r"\bsystem_clock\s*::\s*now\b", "system_clock::now: use a Clock"),
    ("random", r"\brandom_device\b", "random_device: use an IdSource"),
    ("sleep", r"\bthis_thread\s*::\s*sleep_(?:for|until)\b|(?<![\w.>:])(?:usleep|nanosleep)\s*\(",
     "do not sleep: wait on a condition, or advance the clock"),
    ("thread", r"\bstd::thread\b(?!\s*::)|\bpthread_create\b", "std::thread: use named_thread"),
)
JTHREAD = r"\bstd::jthread\s*(?:\w+\s*)?[({]\s*(?:\[|&|std::bind)|<std::jthread>\s*\(|\bstd::async\b"
JTHREAD_NAME = re.compile(r"\bstd::jthread\s*(?:>\s*)?(\w+)\s*;")
SQL = re.compile(r"\s*(?:select\s+\S|insert\s+into\b|update\s+(?:\w+\s+set\b|$)|delete\s+from\b|"
                 r"(?:create|alter|drop)\s+(?:unique\s+|or\s+replace\s+|temp\w*\s+)*"
                 r"(?:table|index|view|trigger|function|extension|database|schema|role)\b)", re.I)
# A loop that only waits, for ever if what it waits for does not come.
POLL = re.compile(r"\bwhile\s*\([^;{}]*\)\s*(?:pause(?:_for)?\s*\(|(?:std::)?this_thread::yield\s*\()")
# Unfinished or disabled code; written so that this file does not match itself.
LEFT_OVERS = re.compile(r"TODO\(no[w]\)|FIXM[E]|\bDISABLE[D]_|GTEST_SKI[P]")


# Who moves an instance on, and the kind of its program, are questions for src/program; the model stores them.
KIND = re.compile(r"\bRunBy::|\brun_by\b(?:\(\))?\s*[!=]=|[!=]=\s*\w[\w.>-]*\brun_by\b|\bkind\s*[!=]=\s*\"")
KNOWS_KINDS = ("src/program/", "src/model/", "src/engine/")


def check_cpp(path, source: Source, sibling):
    """`sibling`: the text of the .cpp file's own header, or an empty string."""
    yield from sizes(path, source)
    yield from type_names(source)
    yield from outside_base(path, source, sibling)
    if path.startswith("src/") and not path.startswith(KNOWS_KINDS):
        for match in KIND.finditer(source.code):
            yield source.line(match.start()), "kind", "compares kinds: ask traits_of, or a question in program/kinds.h"
    if path.endswith(".h"):
        yield from header_opening(source)
        if path.startswith(("src/", "include/")):
            yield from bool_parameters(source)
    if path.startswith(("tests/", "examples/")):
        yield from unbounded_polls(source)
    else:
        yield from sql_in_strings(path, source)


def unbounded_polls(source):
    for match in POLL.finditer(source.code):
        if "now()" not in match[0]:  # else it has a deadline
            yield source.line(match.start()), "poll", "a loop that may wait for ever: use eventually()"


def sizes(path, source):
    count = len(source.lines) - (source.lines[-1] == "")
    limit = FILE_LINES[".h" if path.endswith(".h") else ".cpp"]
    if count > limit:
        yield limit + 1, "file_length", f"{count} lines, the limit is {limit}"
    for number, line in enumerate(source.lines, 1):
        if len(line) > COLUMNS:
            yield number, "columns", f"{len(line)} columns, the limit is {COLUMNS}"
    for first, last in source.functions():
        if last - first + 1 > FUNCTION_LINES:
            yield first, "function_length", f"a function of {last - first + 1} lines, " \
                                            f"the limit is {FUNCTION_LINES}"


def refused_word(name):
    """The first word in a CamelCase or snake_case name that is on the list of vague words."""
    words = [word for part in re.split(r"[_.\-]", name) for word in WORD.findall(part) or [part]]
    return next((word for word in words if NO_NAME.fullmatch(word.lower())), None)


def type_names(source):
    for match in TYPE.finditer(source.code):
        name = match[1] or match[2]
        if word := refused_word(name):
            yield source.line(match.start()), "type_name", f"{name}: '{word}' is too vague, name what it does"


def outside_base(path, source, sibling):
    if path.startswith("src/base/"):
        return
    for rule, pattern, message in NOT_OUTSIDE_BASE:
        for match in re.finditer(pattern, source.code):
            yield source.line(match.start()), rule, message
    if path.startswith("tests/"):
        return
    starts = [JTHREAD]
    for name in set(JTHREAD_NAME.findall(source.code + "\n" + sibling)):
        starts.append(rf"\b{name}\s*(?:\.\s*emplace_back\s*)?[({{]\s*(?:\[|&)")
    for match in re.finditer("|".join(starts), source.code):
        yield source.line(match.start()), "thread", "starts a thread: use named_thread"


def header_opening(source):
    if not source.lines[0].startswith("// "):
        yield 1, "header_opening", "a header must begin with a comment that says what it owns"
    body = next((line for line in source.lines if line.strip() and not line.startswith("//")), "")
    if body.strip() != "#pragma once":
        yield 1, "header_opening", "`#pragma once` must follow the opening comment"


def bool_parameters(source):
    for match in BOOL.finditer(source.code):
        at = match.start() if source.code[match.start()] == "(" else opener(source.code, match.start())
        if at < 0 or source.code[at] != "(" or NO_DECLARATION.search(source.code[max(0, at - 80):at]):
            continue
        offset = match.start() + match.group().index("bool")
        yield source.line(offset), "bool_parameter", "a bool parameter: use an enum"


def sql_in_strings(path, source):
    if re.search(r"/(?:schema|index_builder)\.cpp$|^bench/\w+/raw\w*\.cpp$", path):
        return
    for offset, content in source.literals:
        if SQL.match(content):
            yield source.line(offset), "sql", "SQL in a string: move it to a named statement in a .sql file"


def left_overs(text):
    """Applies to source files of every language."""
    for number, line in enumerate(text.split("\n"), 1):
        if match := LEFT_OVERS.search(line):
            yield number, "left_over", f"{match.group()}: finish or remove it"
