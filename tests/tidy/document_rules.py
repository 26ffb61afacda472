"""Lists in the documents that must agree with the sources. Every rule yields (path, line, rule, message)."""
import re

from tree_rules import CODE_SPAN, line_of

ARCHITECTURE = "docs/ARCHITECTURE.md"
DATA_MODEL = "docs/internals/data_model.md"
REFERENCE = "docs/reference/"

FOLDER_MAP = re.compile(r"^```\w*\nsrc/[^\n]*\n(.*?)^```$", re.M | re.S)
FOLDER = re.compile(r"((?:  )+)([\w\-]+)/(?: +\S.*)?")
TABLE = re.compile(r"^\|[^\n]*\|\n\|(?:-+\|)+\n(?:\|[^\n]*\n)*", re.M)

OPERATIONS = re.compile(r"using Operation =\s*std::variant<(.*?)>;", re.S)
# Outcomes have a name too, but no outcome.
OPERATION_NAME = re.compile(r'\bname = "(\w+)";\s*(?://[^\n]*\n\s*)*using Outcome\b')

# A thread is started with a literal name, by a pool, or by an AnswerThread; "round-" + number is `round-N`.
NAMED_THREAD = re.compile(r'\bnamed_thread\(\s*"([\w\-]+)"')
THREAD_OWNER = re.compile(r"\b(WorkerPool|AnswerThread)>?\s+(\w+)\s*[;(]")

GOLDEN_TABLE = re.compile(r"^(?:CREATE (?:TABLE|VIEW) |column )(\w+)", re.M)
GOLDEN_COLUMN = re.compile(r"^column (\w+)\.(\w+)", re.M)
DATA_SECTION = re.compile(r"^### ([^\n]+)\n(.*?)(?=^##|\Z)", re.M | re.S)

METRIC = re.compile(r'"(holdfast_\w+)"')
FLAG = re.compile(r'"(?:-\w,)?(--[\w\-]+)"')
VARIABLE = re.compile(r'envname\("(HOLDFAST_\w+)"\)|"(HOLDFAST_\w+)"')
COMMAND = re.compile(r'\bprogram\.add_subcommand\(\s*"([\w\-]+)"')
ROUTE = re.compile(r'\bMethod::(\w+),\s*(base)?(?:\s*\+\s*)?(?:"([^"]*)")?')
LOG_EVENT = re.compile(r'\blog::(?:debug|info|warn|error)\(\s*"([\w.]+)"')
ROUTE_BASE = re.compile(r'\bbase = "([^"]*)"')


def check_documents(tree):
    yield from check_folder_map(tree)
    yield from check_operations(tree)
    yield from check_threads(tree)
    yield from check_tables(tree)
    yield from check_metrics(tree)
    yield from check_flags(tree)
    yield from check_commands(tree)
    yield from check_routes(tree)
    yield from check_log_events(tree)


class Tables:
    """The rows of all tables in these documents whose header begins with the cells `head`."""

    def __init__(self, tree, folder_or_file, *head):
        self.paths = [path for path in tree.files if path.startswith(folder_or_file) and path.endswith(".md")]
        self.place, self.rows = None, []  # of the first such table; (cell, cell, ...) of each row
        for path in self.paths:
            for match in TABLE.finditer(tree.text(path)):
                header, _, *rows = [cells(line) for line in match.group().splitlines()]
                if tuple(header[:len(head)]) == head:
                    self.place = self.place or (path, line_of(tree.text(path), match.start()))
                    self.rows += rows

    def names(self, pattern, column=0):
        """Code spans of a column, as far as they match."""
        spans = [span for row in self.rows if len(row) > column for span in CODE_SPAN.findall(row[column])]
        return {match[1] for span in spans if (match := re.match(pattern, span))}

    def compare(self, rule, listed, real):
        if self.paths:
            yield from differences(self.place or (self.paths[0], 1), rule, listed, real)


def cells(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def differences(place, rule, listed, real):
    for name in sorted(real - listed):
        yield *place, rule, f"the list lacks {name}"
    for name in sorted(listed - real):
        yield *place, rule, f"the list has {name}, the sources do not"


def sources(tree, folder, *suffixes):
    return [path for path in tree.files if path.startswith(folder) and path.endswith(suffixes or (".cpp", ".h"))]


def found(tree, pattern, paths):
    return {match[1] for path in paths for match in pattern.finditer(tree.text(path))}


def check_folder_map(tree):
    if ARCHITECTURE not in tree.files:
        return
    text, real = tree.text(ARCHITECTURE), set()
    for path in sources(tree, "src/", ".h", ".cpp", ".sql"):
        parts = path.split("/")[1:-1]
        real.update("/".join(parts[:depth]) for depth in range(1, len(parts) + 1))
    match = FOLDER_MAP.search(text)
    line, listed, open_folders = (line_of(text, match.start()) if match else 1), set(), []
    for number, entry in enumerate(match[1].splitlines() if match else [], line + 2):
        folder = FOLDER.fullmatch(entry)
        depth = len(folder[1]) // 2 if folder else 0
        if not folder or depth > len(open_folders) + 1:
            yield ARCHITECTURE, number, "folder_map", "a line is a folder, two spaces deeper a level, and a description"
            continue
        open_folders[depth - 1:] = [folder[2]]
        listed.add("/".join(open_folders))
    yield from differences((ARCHITECTURE, line), "folder_map", listed, real)


def check_operations(tree):
    header = "src/operations/operation.h"
    if header not in tree.files:
        return
    variant = OPERATIONS.search(tree.text(header))
    real = set(re.findall(r"op::(\w+)", variant[1])) if variant else set()
    table = Tables(tree, ARCHITECTURE, "folder", "operations")
    yield from table.compare("operations", table.names(r"([A-Z]\w+)$", 1), real)
    kinds = Tables(tree, REFERENCE, "area", "kinds")
    names = found(tree, OPERATION_NAME, sources(tree, "src/operations/", ".h"))
    yield from kinds.compare("operations", kinds.names(r"([a-z]\w+)$", 1), names)


def check_threads(tree):
    paths = sources(tree, "src/")
    real = found(tree, NAMED_THREAD, paths)
    owners = {match[2]: match[1] for path in paths for match in THREAD_OWNER.finditer(tree.text(path))}
    for path in paths if owners else ():
        for match in re.finditer(rf'\b({"|".join(owners)})(?:\.emplace)?\(\s*"([\w\-]+)"', tree.text(path)):
            real.add(match[2] + ("-" if owners[match[1]] == "WorkerPool" else ""))
    table = Tables(tree, ARCHITECTURE, "thread")
    yield from table.compare("threads", table.names(r"([\w\-]+)$"), {re.sub(r"-$", "-N", name) for name in real})


def check_tables(tree):
    golden = [path for path in tree.files if re.fullmatch(r"tests/golden/schema_\w+\.txt", path)]
    if DATA_MODEL not in tree.files or not golden:
        return
    text, listed = tree.text(DATA_MODEL), set()
    columns = {match.groups() for path in golden for match in GOLDEN_COLUMN.finditer(tree.text(path))}
    begin = text.find("\n## Tables\n")
    end = text.find("\n## ", begin + 1)
    for match in DATA_SECTION.finditer(text, max(begin, 0), end if end > 0 else len(text)):
        names = set(re.sub(r" \([^)]*\)", "", match[1]).split(", "))
        listed |= names
        spans = set(CODE_SPAN.findall(match[2]))
        for table, column in sorted(columns):
            if table in names and column not in spans:
                yield DATA_MODEL, line_of(text, match.start()), "data_model", f"{table} lacks its column {column}"
    place = (DATA_MODEL, line_of(text, max(begin, 0) + 1))
    yield from differences(place, "data_model", listed, found(tree, GOLDEN_TABLE, golden))


def check_metrics(tree):
    table = Tables(tree, REFERENCE, "metric")
    yield from table.compare("metrics", table.names(r"(holdfast_\w+)"), found(tree, METRIC, sources(tree, "src/")))


def check_flags(tree):
    paths = [path for path in ("src/app/commands/command_serve.cpp", "src/app/pump_flags.cpp") if path in tree.files]
    table = Tables(tree, REFERENCE, "flag", "default", "variable")
    yield from table.compare("flags", table.names(r"(--[\w\-]+)$"), found(tree, FLAG, paths))
    variables = {name for path in paths for pair in VARIABLE.findall(tree.text(path)) for name in pair if name}
    yield from table.compare("flags", table.names(r"(HOLDFAST_\w+)$", 2), variables)


def check_commands(tree):
    paths = sources(tree, "src/app/", ".cpp")
    table = Tables(tree, REFERENCE, "command")
    yield from table.compare("commands", table.names(r"([a-z][\w\-]*)"), found(tree, COMMAND, paths))
    documented = {flag for path in table.paths for flag in re.findall(r"--[\w\-]+", tree.text(path))}
    for flag in sorted(found(tree, FLAG, paths) - documented) if table.paths else ():
        yield *(table.place or (table.paths[0], 1)), "commands", f"no reference names {flag}"


def check_routes(tree):
    real = set()
    for path in sources(tree, "src/http/routes/", ".cpp"):
        base = ROUTE_BASE.search(tree.text(path))
        for method, based, tail in ROUTE.findall(tree.text(path)):
            verb = {"del": "DELETE"}.get(method, method.upper())
            real.add(f"{verb} {base[1] if based and base else ''}{tail}")
    table = Tables(tree, REFERENCE, "route")
    yield from table.compare("routes", table.names(r"([A-Z]+ /\S*)$"), real)


def check_log_events(tree):
    """Every event that is logged under a literal name is in the reference; names that are put together are not seen."""
    table = Tables(tree, REFERENCE, "level", "event")
    missing = found(tree, LOG_EVENT, sources(tree, "src/", ".cpp")) - table.names(r"([\w.]+)$", 1)
    yield from table.compare("log_events", set(), missing)
