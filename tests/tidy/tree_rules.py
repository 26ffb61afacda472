"""Rules about the tree as a whole: migrations, links, quotes, tests and files that documents name, forbidden texts."""
import re
import textwrap

MIGRATIONS = "src/store/migrations/"
MIGRATION_NAME = re.compile(r"(\d{4})_[a-z0-9]+(?:_[a-z0-9]+)+\.sql")
SEAMS = tuple(f"src/store/{seam}.h" for seam in ("store", "rounds", "reads", "leases", "hints", "upkeep"))
VERB = re.compile(r"^\s*virtual (?!~)", re.M)
MOST_VERBS = 20
REQUIREMENTS = "docs/internals/requirements.md"

FENCE = re.compile(r"^(```|~~~).*?^\1[^\n]*$", re.M | re.S)
CODE_SPAN = re.compile(r"`([^`\n]+)`")
QUOTE = re.compile(r"^```\w+ (\S+)\n(.*?)^```$", re.M | re.S)
LINK = re.compile(r"\]\(\s*<?([^)>\s]+)>?(?:\s+\"[^\"]*\")?\s*\)|^\[[^\]]+\]:\s*(\S+)", re.M)
FOREIGN = re.compile(r"[a-z][a-z0-9+.\-]*:|//|#", re.I)

TEST = re.compile(r"\b(?:TEST|TEST_F|TEST_P|TYPED_TEST|TYPED_TEST_P|RC_GTEST_PROP|RC_GTEST_FIXTURE_PROP)"
                  r"\(\s*(\w+)\s*,\s*(\w+)")
TEST_NAME = re.compile(r"(?:\w+/)?([A-Z]\w*)\.([A-Z]\w*|\*)(?:/\w+)?")
FILE_NAME = re.compile(r"(?:\.?[\w\-]+/)+[\w.*\-]*(?::\d+)?|[\w\-]+\.(?:md|txt|cpp|h|py|sql)(?::\d+)?")
FILE_BASES = ("", "src/", "docs/", "docs/internals/")
# Documents that name tests and files, beside the requirements; there a file is named by its whole path.
NAMING = re.compile(r"docs/(?:ARCHITECTURE|GLOSSARY|internals/\w+|adr/[\w\-]+)\.md|CONTRIBUTING\.md")
WHOLE_PATH = re.compile(r"(?:src|include|tests|docs|examples|bench|cmake|tools)/[\w.*/\-]*")

# Paths and documents that a reader of the project cannot see; written so that this file does not match itself.
UNSEEN = re.compile(r"(?<![\w.])/(?:wor[k]|roo[t])/|\bseed 0[0]|\bthe brie[f]\b|\.\./share[d]\b", re.I)


def line_of(text, offset):
    return text.count("\n", 0, offset) + 1


def blank(match):
    return re.sub(r"[^\n]", " ", match.group())


def unseen_texts(text):
    for match in UNSEEN.finditer(text):
        yield line_of(text, match.start()), "unseen", f"'{match.group()}' is not accessible to readers"


def check_links(tree, path):
    text = CODE_SPAN.sub(blank, FENCE.sub(blank, tree.text(path)))
    folder = path.rpartition("/")[0]
    for match in LINK.finditer(text):
        target = match[1] or match[2]
        if FOREIGN.match(target):
            continue
        name = target.split("#")[0].split("?")[0]
        place = tree.root / name.lstrip("/") if name.startswith("/") else tree.root / folder / name
        if not place.exists():
            yield line_of(text, match.start()), "link", f"no such link target: {target}"


def check_quotes(tree, path):
    """A block that names a file, as in ```cpp examples/a.cpp, must be a part of it; it may be indented less."""
    text = tree.text(path)
    for match in QUOTE.finditer(text):
        name, line = match[1], line_of(text, match.start())
        if name not in tree.files:
            yield line, "quote", f"no such file: {name}"
        elif not is_part(match[2].splitlines(), tree.text(name).splitlines()):
            yield line, "quote", f"{name} does not contain these lines"


def check_examples(tree):
    """Every example in C++ is quoted by a document. Yields (path, line, rule, message)."""
    quoted = {match[1] for path in tree.files if path.endswith(".md") for match in QUOTE.finditer(tree.text(path))}
    for path in tree.files:
        if path.startswith("examples/") and path.endswith(".cpp") and path not in quoted:
            yield path, 1, "unquoted", "no document quotes this example"


def is_part(quoted, lines):
    wanted = textwrap.dedent("\n".join(quoted))
    return bool(quoted) and any(textwrap.dedent("\n".join(lines[start:start + len(quoted)])) == wanted
                                for start in range(len(lines) - len(quoted) + 1))


def check_migrations(tree):
    """Numbered from 1 without gaps, the same numbers in every dialect. Yields (path, line, rule, message)."""
    dialects = {}
    for path in tree.files:
        if path.startswith(MIGRATIONS) and path.endswith(".sql"):
            dialect, _, name = path[len(MIGRATIONS):].partition("/")
            match = MIGRATION_NAME.fullmatch(name)
            if not match:
                yield path, 1, "migration", "a migration must be named NNNN_verb_noun.sql"
                continue
            for one in ("sqlite", "postgres") if dialect == "both" else (dialect,):
                dialects.setdefault(one, []).append((int(match[1]), path))
    for found in dialects.values():
        for expected, (number, path) in enumerate(sorted(found), 1):
            if number != expected:
                yield path, 1, "migration", f"migration {number} found, expected {expected}"
                break
    every = {number for found in dialects.values() for number, _ in found}
    for dialect, found in dialects.items():
        for number in sorted(every - {number for number, _ in found}):
            yield MIGRATIONS + dialect, 1, "migration", f"migration {number} is missing in this dialect"


def check_verbs(tree):
    """A new read is a query, not a verb of the store. Yields (path, line, rule, message)."""
    verbs = [(path, line_of(tree.text(path), verb.end()))
             for path in SEAMS if path in tree.files for verb in VERB.finditer(tree.text(path))]
    if len(verbs) > MOST_VERBS:
        path, line = verbs[MOST_VERBS]
        yield path, line, "verbs", f"the store has {len(verbs)} verbs, at most {MOST_VERBS} are allowed"


def check_named(tree):
    """Every test and file that these documents name exists. Yields (path, line, rule, message)."""
    pages = [path for path in tree.files if NAMING.fullmatch(path)]
    tests = set()
    for path in tree.files if pages else ():
        if path.startswith("tests/") and path.endswith((".cpp", ".h")):
            tests.update(TEST.findall(tree.text(path)))
    suites = {suite for suite, _ in tests}
    for page in pages:
        text = tree.text(page)
        file_name = FILE_NAME if page == REQUIREMENTS else WHOLE_PATH
        for match in CODE_SPAN.finditer(FENCE.sub(blank, text)):
            name, line = match[1].strip(), line_of(text, match.start())
            if test := TEST_NAME.fullmatch(name):
                known = test[1] in suites if test[2] == "*" else test.groups() in tests
                if not known:
                    yield page, line, "named_test", f"there is no test {name}"
            elif file_name.fullmatch(name) and not file_exists(tree.root, name):
                yield page, line, "named_file", f"there is no file {name}"


def file_exists(root, name):
    name = re.sub(r":\d+$", "", name).rstrip("/")
    return any(next(root.glob(base + name), None) is not None for base in FILE_BASES)
