#!/usr/bin/env python3
"""Checks the hard limits of the style, the include directions and the names that documents refer to.

usage: tidy.py REPO_ROOT

Prints `file:line: message (rule)` for every violation; exit code 1 if there are any.
"""
import fnmatch
import os
import pathlib
import sys

from cpp_rules import check_cpp, left_overs, refused_word
from cpp_source import Source
from document_rules import check_documents
from layout import check_includes
from tree_rules import check_examples, check_links, check_migrations, check_named, check_quotes, check_verbs, unseen_texts

# (rule, file pattern, reason). An unused entry is itself a violation.
ALLOWED = (
    ("bool_parameter", "src/store/postgres/connection/binary.h", "the bool is the value to encode, one overload a type"),
    ("bool_parameter", "src/store/sqlite/database.h", "the bool is the value to bind, one overload a type"),
    ("library", "tests/support/world.cpp", "the tests damage and count stored rows without the store"),
    ("library", "tests/faults/tcp_proxy_test.cpp", "the test sends single protocol messages through the proxy"),
    ("library", "tests/faults/statement_log.cpp", "it intercepts SQLite calls of a server"),
)

CPP_FOLDERS = ("src/", "include/", "tests/", "bench/", "examples/")
TEXT = (".h", ".cpp", ".sql", ".py", ".sh", ".js", ".mjs", ".ts", ".tsx", ".md", ".txt", ".cmake", ".json", ".yml",
        ".yaml", ".toml", ".html", ".css", ".bpmn", ".pml", "")
SOURCE = (".h", ".cpp", ".sql", ".py", ".sh", ".js", ".mjs", ".ts", ".tsx", ".cmake", ".pml", "")
SKIPPED = {".git", ".holdfast", "node_modules", "__pycache__", ".cache"}


class Tree:
    """The project's text files, each read once."""

    def __init__(self, root):
        self.root = pathlib.Path(root).resolve()
        self.files = sorted(self._walk())
        self._texts = {}

    def _walk(self):
        for folder, folders, names in os.walk(self.root):
            place = pathlib.Path(folder).relative_to(self.root)
            folders[:] = [name for name in folders if name not in SKIPPED
                          and not (place == pathlib.Path() and name.startswith("build"))]
            for name in names:
                if name not in SKIPPED and os.path.splitext(name)[1] in TEXT:
                    yield (place / name).as_posix()

    def text(self, path):
        if path not in self._texts:
            self._texts[path] = (self.root / path).read_text(encoding="utf-8", errors="replace")
        return self._texts[path]


def check_file(tree, path):
    suffix = pathlib.PurePosixPath(path).suffix
    text = tree.text(path)
    yield from unseen_texts(text)
    if suffix == ".md":
        yield from check_links(tree, path)
        yield from check_quotes(tree, path)
    if suffix in SOURCE:
        yield from left_overs(text)
    if not path.startswith(CPP_FOLDERS):
        return
    stem = pathlib.PurePosixPath(path).stem
    if suffix in SOURCE and (word := refused_word(stem)):
        yield 1, "file_name", f"'{word}' in a file name is too vague, name what it does"
    if suffix in (".h", ".cpp"):
        source = Source(text)
        header = path.removesuffix(".cpp") + ".h"
        sibling = tree.text(header) if suffix == ".cpp" and header in tree.files else ""
        yield from check_cpp(path, source, sibling)
        yield from check_includes(path, source)


def violations(tree):
    for path in tree.files:
        for line, rule, message in check_file(tree, path):
            yield path, line, rule, message
    yield from check_migrations(tree)
    yield from check_examples(tree)
    yield from check_named(tree)
    yield from check_verbs(tree)
    yield from check_documents(tree)


def unexcused(tree, allowed=ALLOWED):
    """The violations that are not on the allow-list, and the entries of the list that are unused."""
    used, left = set(), []
    for path, line, rule, message in violations(tree):
        excuse = next((entry for entry in allowed
                       if entry[0] == rule and fnmatch.fnmatchcase(path, entry[1])), None)
        if excuse:
            used.add(excuse)
        else:
            left.append((path, line, rule, message))
    for entry in allowed:
        if entry not in used and any(fnmatch.fnmatchcase(path, entry[1]) for path in tree.files):
            left.append(("tests/tidy/tidy.py", 1, "allowed", f"unused entry: {entry[0]} in {entry[1]}"))
    return sorted(left)


def main(root):
    tree = Tree(root)
    found = unexcused(tree)
    for path, line, rule, message in found:
        print(f"{path}:{line}: {message} ({rule})")
    print(f"tidy: {len(tree.files)} files, {len(found)} problems")
    return 1 if found else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
