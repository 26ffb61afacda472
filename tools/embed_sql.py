#!/usr/bin/env python3
"""Turns the .sql files of src/store into C++: migrations by dialect, and named statements.

usage: embed_sql.py SRC_STORE_DIR OUTPUT_CPP

A statement file holds `-- name: claim_due_signals` blocks. Both dialects must name the same statements;
one that a single dialect needs says so: `-- name: backfill (sqlite only)`.
"""
import pathlib
import re
import sys

DIALECTS = ("sqlite", "postgres")
NAME = re.compile(r"^-- name: (\w+)(?: \((\w+) only\))?\s*$")


def statements(path, dialect):
    found, shared, name = {}, set(), None
    for line in path.read_text().splitlines():
        match = NAME.match(line)
        if match:
            name, only = match.groups()
            if only and only != dialect:
                sys.exit(f"{path}: {name} is for {only} only")
            if name in found:
                sys.exit(f"{path}: {name} stands twice")
            found[name] = []
            if not only:
                shared.add(name)
        elif name:
            found[name].append(line)
        elif line.strip() and not line.startswith("--"):
            sys.exit(f"{path}: SQL before the first '-- name:' line")
    return {key: "\n".join(lines).strip() for key, lines in found.items()}, shared


def literal(text):
    return 'R"__sql(' + text + ')__sql"'


def main(root, output):
    out = ['// Made by tools/embed_sql.py from the .sql files; not edited by hand.',
           '#include "store/sql.h"', '', 'namespace holdfast::sql {', '']
    shared = {}
    for dialect in DIALECTS:
        found = {}
        shared[dialect] = set()
        for path in sorted((root / "sql").glob(f"{dialect}*.sql")):
            more, both = statements(path, dialect)
            if found.keys() & more.keys():
                sys.exit(f"{path}: names again {sorted(found.keys() & more.keys())}")
            found |= more
            shared[dialect] |= both
        out.append(f"std::span<const Statement> {dialect}_statements() {{")
        out.append("    static constexpr Statement all[] = {")
        out += [f'        {{"{name}", {literal(text)}}},' for name, text in sorted(found.items())]
        out += ["    };", "    return all;", "}", ""]
        out.append(f"std::span<const Migration> {dialect}_migrations() {{")
        out.append("    static constexpr Migration all[] = {")
        for number, path in enumerate(sorted((root / "migrations" / dialect).glob("*.sql")), 1):
            if int(path.name[:4]) != number:
                sys.exit(f"{path}: migration {number} is missing")
            out.append(f'        {{{number}, "{path.stem}", {literal(path.read_text())}}},')
        out += ["    };", "    return all;", "}", ""]
    if shared["sqlite"] != shared["postgres"]:
        sys.exit(f"statements of one dialect only: {sorted(shared['sqlite'] ^ shared['postgres'])}; "
                 "write the other one, or mark it '(sqlite only)' or '(postgres only)'")
    out.append("}  // namespace holdfast::sql")
    pathlib.Path(output).write_text("\n".join(out) + "\n")


main(pathlib.Path(sys.argv[1]), sys.argv[2])
