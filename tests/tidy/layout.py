"""The layering: which folder may include which, and which folder sees which library."""
import re

from cpp_source import Source

# A folder under src/ -> the folders it may include, besides itself.
MAY_INCLUDE = {
    "base": (),
    "model": ("base",),
    "feel": ("base",),
    "bpmn": ("base", "model", "feel"),
    "engine": ("base", "model", "feel", "bpmn", "program"),
    # Its kinds.cpp and process.cpp register the kinds, so they see the folders of the kinds.
    "program": ("base", "model", "bpmn", "engine"),
    "store": ("base", "model", "feel", "bpmn", "engine", "program"),
}
# From "store" on each folder sees the ones below it.
for upper, lower in (("operations", "store"), ("round", "operations"), ("pump", "round"), ("http", "pump"),
                     ("node", "http")):
    MAY_INCLUDE[upper] = (*MAY_INCLUDE[lower], lower)
# A flow gives operations as values; it never decides one.
MAY_INCLUDE["flow"] = (*MAY_INCLUDE["operations"], "operations")
MAY_INCLUDE["node"] += ("flow",)
MAY_INCLUDE["client"] = ("base", "model", "http")
MAY_INCLUDE["app"] = tuple(MAY_INCLUDE)

# Folders that implement the public headers or use them.
SEES_PUBLIC_HEADERS = ("flow", "node", "client", "app")

# Only a store's own folder includes its internals; others open it by its URL.
STORE_INSIDES = re.compile(r"store/(memory|sqlite|postgres)/")
OPENS_STORES = re.compile(r"src/(app/|store/open_store\.cpp$)")

# Pure folders do not log; the engine uses no clock and no threads either, and walks graphs without reading models.
NEVER_INCLUDES = (
    (re.compile(r"src/(model|feel|bpmn|engine|program)/"), ("base/log.h",)),
    (re.compile(r"src/engine/"), ("bpmn/model.h", "bpmn/xml/element.h", "bpmn/read/document.h")),
    (re.compile(r"src/flow/"), ("store/store.h", "store/view.h", "base/time/clock.h", "base/log.h")),
    # Only what registers a kind may look into its folder.
    (re.compile(r"src/program/(?!(kinds|process)\.cpp$)"),
     ("bpmn/model.h", "engine/process_program.h", "engine/supported.h")),
    (re.compile(r"src/engine/"), ("base/time/clock.h", "base/threads/threads.h", "base/threads/worker_pool.h")),
)

# How an include begins -> the files that may use it.
LIBRARIES = (
    (r"libpq|postgresql/|pg_config", r"src/store/postgres/|bench/\w+/raw\w*\.cpp$"),
    (r"sqlite3", r"src/store/sqlite/|bench/\w+/raw\w*\.cpp$"),
    (r"boost/(beast|asio)\b", r"src/http/wire/([^/]*\.cpp|(channel|connection|loop)\.h)$"),
    (r"valijson/", r"src/model/schema/"),
    (r"re2/", r"src/(model/schema/|feel/builtins/pattern[^/]*\.cpp$)"),
    (r"bid_", r"src/feel/values/decimal\.cpp$"),
    (r"pugixml", r"src/bpmn/"),
    (r"zlib", r"src/http/page/"),
    (r"spdlog/", r"src/base/log\.cpp$"),
    (r"prometheus/",
     r"src/((round|pump)/metrics\.|http/api\.h$|http/routes/health_routes\.cpp$|node/|app/)|tests/"),
    (r"CLI/|toml", r"(src/app|bench|tests)/"),
    (r"gtest/|gmock/|rapidcheck", r"tests/"),
    (r"benchmark/", r"bench/"),
)


def check_includes(path, source: Source):
    for line, _, name in source.includes:
        for library, places in LIBRARIES:
            if re.match(library, name) and not re.match(places, path):
                yield line, "library", f"this file must not include <{name}>"
        yield from ((line, "include", why) for why in misdirected(path, name))


def misdirected(path, name):
    """Why a file must not include a file of the project; nothing for an allowed or external include."""
    folder = path.split("/")[1] if path.startswith("src/") and path.count("/") > 1 else None
    target = name.split("/")[0]
    if path.startswith("include/") and target in MAY_INCLUDE:
        yield f'a public header includes only public headers, not "{name}"'
    if folder is None:
        return
    if folder not in MAY_INCLUDE:
        yield f"src/{folder} is missing in MAY_INCLUDE of tests/tidy/layout.py"
        return
    if target == "holdfast" and folder not in SEES_PUBLIC_HEADERS:
        yield f'{folder} must not include the public header "{name}"'
    if target in MAY_INCLUDE and target != folder and target not in MAY_INCLUDE[folder]:
        yield f'{folder} must not include "{name}"'
    inside = STORE_INSIDES.match(name)
    if inside and not OPENS_STORES.match(path) and not path.startswith(f"src/store/{inside[1]}/"):
        yield f'"{name}" is private to its store'
    for places, names in NEVER_INCLUDES:
        if places.match(path) and name in names:
            yield f'{folder} must not include "{name}"'
