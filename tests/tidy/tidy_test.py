#!/usr/bin/env python3
"""Runs tidy on small trees with one violation each and expects exactly that rule to fire."""
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import tidy  # noqa: E402

HEADER = "// Owns an example.\n#pragma once\n"


def found(files, allowed=()):
    """(path, line, rule) of every violation in a tree of these files."""
    with tempfile.TemporaryDirectory() as root:
        for name, text in files.items():
            path = pathlib.Path(root, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return [(path, line, rule) for path, line, rule, _ in tidy.unexcused(tidy.Tree(root), allowed)]


class Rules(unittest.TestCase):
    def fires(self, rule, path, text, line=1):
        self.assertEqual(found({path: text}), [(path, line, rule)], text)

    def silent(self, path, text):
        self.assertEqual(found({path: text}), [], text)

    def test_includes_point_one_way(self):
        self.silent("src/store/a.cpp", '#include "model/instance.h"\n#include "store/b.h"\n')
        self.silent("src/app/a.cpp", '#include "client/wire.h"\n#include "pump/pump.h"\n')
        self.silent("src/client/a.cpp", '#include "http/wire/target.h"\n#include "holdfast/client.h"\n')
        self.silent("src/model/a.cpp", '// #include "store/store.h"\n')
        self.fires("include", "src/model/a.cpp", '#include "base/ids/uuid.h"\n#include "store/store.h"\n', 2)
        self.fires("include", "src/http/a.cpp", '#include "client/wire.h"\n')
        self.fires("include", "src/engine/a.cpp", '#include "base/time/clock.h"\n')
        self.fires("include", "src/model/a.cpp", '#include "base/log.h"\n')
        self.fires("include", "src/odd/a.cpp", '#include "base/ids/uuid.h"\n')
        self.fires("include", "src/store/a.cpp", '#include "holdfast/client.h"\n')
        self.fires("include", "include/holdfast/a.h", HEADER + '#include "base/ids/uuid.h"\n', 3)

    def test_a_store_is_opened_by_its_address(self):
        self.silent("src/store/sqlite/a.cpp", '#include "store/sqlite/b.h"\n')
        self.silent("src/store/open_store.cpp", '#include "store/sqlite/b.h"\n')
        self.fires("include", "src/store/postgres/a.cpp", '#include "store/sqlite/b.h"\n')
        self.fires("include", "src/round/a.cpp", '#include "store/memory/store.h"\n')

    def test_the_store_has_few_verbs(self):
        verbs = "virtual void a() = 0;\n" * 20
        self.silent("src/store/reads.h", HEADER + "virtual ~Reads() = default;\n" + verbs)
        self.fires("verbs", "src/store/reads.h", HEADER + verbs + "virtual bool b();\n", 23)
        self.silent("src/store/view.h", HEADER + verbs + "virtual bool b();\n")

    def test_libraries_stay_in_their_folders(self):
        self.silent("src/store/postgres/a.cpp", "#include <libpq-fe.h>\n")
        self.silent("src/http/wire/a.cpp", "#include <boost/beast/http.hpp>\n#include <boost/json.hpp>\n")
        self.fires("library", "src/store/sqlite/a.cpp", "#include <libpq-fe.h>\n")
        self.fires("library", "src/store/postgres/a.cpp", "#include <sqlite3.h>\n")
        self.fires("library", "src/http/a.cpp", "#include <boost/asio/post.hpp>\n")
        self.fires("library", "src/http/wire/a.h", HEADER + "#include <boost/asio/post.hpp>\n", 3)
        self.fires("library", "src/model/codec/codec.cpp", "#include <re2/re2.h>\n")
        self.fires("library", "src/model/codec/codec.cpp", "#include <valijson/schema.hpp>\n")
        self.fires("library", "src/http/a.cpp", "#include <spdlog/spdlog.h>\n")
        self.fires("library", "src/http/a.cpp", "#include <prometheus/registry.h>\n")
        self.fires("library", "src/http/a.cpp", "#include <CLI/CLI.hpp>\n")

    def test_quotes_are_parts_of_their_files(self):
        code = "// Owns nothing.\nvoid f() {\n    a();\n\n    b();\n}\n"

        def quote(lines, name="examples/a.cpp"):
            return found({"examples/a.cpp": code, "docs/a.md": f"Text\n\n```cpp {name}\n{lines}```\n"})

        self.fires("unquoted", "examples/a.cpp", code)
        self.assertEqual(quote("void f() {\n    a();\n"), [])
        self.assertEqual(quote("a();\n\nb();\n"), [])
        self.silent("docs/a.md", "```cpp\nanything();\n```\n")
        for lines in ("a();\nb();\n", "    c();\n", "", "    a();\n        b();\n"):
            self.assertEqual(quote(lines), [("docs/a.md", 3, "quote")], lines)
        self.assertEqual(quote("a();\n", "examples/b.cpp"),
                         [("docs/a.md", 3, "quote"), ("examples/a.cpp", 1, "unquoted")])

    def test_files_have_a_length_limit(self):
        self.silent("src/base/a.cpp", "\n" * 500)
        self.fires("file_length", "src/base/a.cpp", "\n" * 501, 501)
        self.silent("src/base/a.h", HEADER + "\n" * 198)
        self.fires("file_length", "src/base/a.h", HEADER + "\n" * 199, 201)

    def test_lines_have_a_length_limit(self):
        self.silent("src/base/a.cpp", "// " + "ü" * 97 + "\n")
        self.fires("columns", "tests/unit/a.cpp", "\n// " + "x" * 98 + "\n", 2)
        self.silent("src/store/sql/a.sql", "-- " + "x" * 200 + "\n")

    def test_functions_have_a_length_limit(self):
        body = "    x();\n"
        self.silent("src/base/a.cpp", "void f() {\n" + body * 58 + "}\n")
        for head in ("void f(int a, int b) {", "A::A(int x) : a_{x}, b_(x) {", "TEST(Suite, Name) {",
                     "template <class T = int>\nauto f(T t = {}) -> T {", "bool A::operator==(A o) const {",
                     "constexpr auto f = [](int x) {", "void f() { if (x) {} else {"):
            tail = "}}\n" if head.endswith("else {") else "}\n"
            code = "namespace a {\nstruct B {\n" + head + "\n" + body * 60 + tail + "};\n}\n"
            self.fires("function_length", "src/base/a.cpp", code, 3)

    def test_tables_and_scopes_are_not_functions(self):
        rows = "    {1, 2},\n" * 70
        self.silent("src/base/a.cpp", "constexpr Row rows[] = {\n" + rows + "};\n")
        self.silent("src/base/a.cpp", "namespace {\n" + "int f() { return 1; }\n" * 70 + "}\n")
        self.silent("src/base/a.cpp", "// {\nconst char* a = \"{\";\nint b = 1'000;\n" + "int c;\n" * 70)
        self.silent("src/base/a.cpp", "class A : public B<int> {\n" + "    void f();\n" * 70 + "};\n")

    def test_vague_names_are_refused(self):
        for name in ("LeaseManager", "JsonUtils", "StoreImpl", "TaskInfo", "TaskData", "BaseStore", "StoreV2",
                     "NewStore", "LegacyStore", "HttpService"):
            self.fires("type_name", "src/base/a.cpp", f"class {name} {{}};\n")
            self.fires("type_name", "src/base/a.cpp", f"using {name} = int;\n")
        for name in ("Database", "Basement", "Newest", "UuidV7", "Information"):
            self.silent("src/base/a.cpp", f"struct {name} {{}};\n")
        self.fires("file_name", "src/base/string_util.cpp", "")
        self.fires("file_name", "tests/unit/common.cpp", "")
        self.silent("src/base/database.cpp", "")

    def test_clocks_random_numbers_and_sleeps_are_in_base(self):
        for rule, code in (("clock", "auto t = std::chrono::system_clock::now();"),
                           ("random", "std::random_device device;"),
                           ("sleep", "std::this_thread::sleep_for(1s);"),
                           ("sleep", "std::this_thread::sleep_until(t);"),
                           ("thread", "std::thread worker(f);")):
            self.fires(rule, "src/http/a.cpp", code + "\n")
            self.fires(rule, "tests/unit/a.cpp", code + "\n")
            self.silent("src/base/a.cpp", code + "\n")
            self.silent("src/http/a.cpp", "// " + code + "\n")
        self.silent("src/http/a.cpp", "instance.sleep_until(wait);\nauto n = std::thread::id();\n")

    def test_a_loop_that_only_waits_has_an_end(self):
        for body in ("pause_for(5ms);", "std::this_thread::yield();"):
            self.fires("poll", "tests/unit/a.cpp", f"while (!done()) {body}\n")
            self.fires("poll", "tests/flow/a.cpp", f"while (node.status(id) != want)\n    {body}\n")
            self.silent("tests/unit/a.cpp", f"while (!done() && Clock::now() < deadline) {body}\n")
        self.silent("tests/unit/a.cpp", "while (shard.run_round()) ++rounds;\n")

    def test_threads_are_started_in_base(self):
        self.silent("src/http/a.h", HEADER + "std::jthread thread_;\n")
        self.silent("src/http/a.cpp", "std::jthread thread_;\nA::A() : thread_(named_thread(n, f)) {}\n")
        self.silent("tests/unit/a.cpp", "std::jthread writer([] { write(); });\n")
        self.fires("thread", "src/http/a.cpp", "std::jthread writer([] { write(); });\n")
        self.fires("thread", "src/http/a.cpp", "std::vector<std::jthread> all;\nall.emplace_back([] {});\n", 2)
        self.assertEqual(found({"src/http/a.h": HEADER + "std::jthread thread_;\n",
                                "src/http/a.cpp": "A::A() : thread_([this] { run(); }) {}\n"}),
                         [("src/http/a.cpp", 1, "thread")])

    def test_kinds_are_compared_in_src_program_only(self):
        self.silent("src/program/a.cpp", "bool f(const Instance& i) { return i.run_by == RunBy::node; }\n")
        self.silent("src/operations/a.cpp", "void f(Instance& i, const Program& p) { i.run_by = p.run_by(); }\n")
        self.silent("src/http/a.cpp", "bool f(const Run& r) { return r.kind == RunKind::dry; }\n")
        self.fires("kind", "src/store/a.cpp", "bool f(const Instance& i) { return i.run_by == other; }\n")
        self.fires("kind", "src/round/a.cpp", "bool f(const Program& p) { return p.run_by() != other; }\n")
        self.fires("kind", "src/node/a.cpp", "constexpr auto runner = RunBy::node;\n")
        self.fires("kind", "src/http/a.cpp", 'bool f(const Definition& d) { return d.kind == "worker"; }\n')

    def test_bool_parameters_are_enums(self):
        for code in ("void f(bool quick);", "void f(int a, bool quick);", "void f(int a, const bool& b);",
                     "void f(bool quick = false);", "void f(std::map<int, int> a,\n bool b);", "int f(bool);"):
            line = 4 if "\n" in code else 3
            self.fires("bool_parameter", "src/base/a.h", HEADER + code + "\n", line)
        for code in ("bool f(int a);", "std::variant<int, bool, A> v;", "auto f = [](bool b) {};",
                     "bool operator()(bool a) const;", "std::function<void(bool)> f;", "bool a, b;",
                     "template <class T, bool quick> void f(T t);", "if (bool a = f()) g();"):
            self.silent("src/base/a.h", HEADER + code + "\n")
        self.silent("src/base/a.cpp", "void f(bool quick) {}\n")

    def test_headers_open_with_what_they_own(self):
        self.fires("header_opening", "src/base/a.h", "#pragma once\n")
        self.fires("header_opening", "tests/support/a.h", "// Owns an example.\n#include <map>\n")
        self.silent("src/base/a.h", "// Owns an example,\n// and more.\n#pragma once\n")

    def test_sql_lives_in_sql_files(self):
        for text in ("select a from b", "INSERT INTO a values (1)", "update a set b = 1", "delete from a",
                     "create unique index a on b", "drop table a"):
            self.fires("sql", "src/http/a.cpp", f'f("{text}");\n')
            self.fires("sql", "src/http/a.cpp", f'f(R"(\n  {text})");\n')
            self.silent("src/store/sqlite/schema.cpp", f'f("{text}");\n')
            self.silent("tests/store/a.cpp", f'f("{text}");\n')
        self.silent("src/http/a.cpp", 'f("DELETE");\nf("update");\nf("create the folder first");\n')

    def test_nothing_is_left_over(self):
        for text in ("TODO(" + "now): x", "FIX" + "ME", "TEST(A, DISABLED" + "_B) {}", "GTEST" + "_SKIP();"):
            self.fires("left_over", "src/base/a.cpp", f"\n// {text}\n", 2)
        self.silent("src/base/a.cpp", "// TODO(soon): x\n")

    def test_texts_refer_only_to_what_readers_can_see(self):
        for text in ("/wor" + "k/x", "/roo" + "t/x", "see seed 0" + "03", "as the br" + "ief says", "../sha" + "red/x"):
            self.fires("unseen", "docs/a.md", f"\n{text}\n", 2)
        self.silent("docs/a.md", "https://example.org/wor" + "k/x and a brief look\n")

    def test_migrations_are_numbered(self):
        place = "src/store/migrations/"
        good = {place + d + "/000%d_create_a.sql" % n: "" for d in ("sqlite", "postgres") for n in (1, 2)}
        self.assertEqual(found(good), [])
        gap = {place + d + "/0003_create_b.sql": "" for d in ("sqlite", "postgres")}
        self.assertEqual({rule for _, _, rule in found(gap)}, {"migration"})
        one = good | {place + "sqlite/0003_create_b.sql": ""}
        self.assertEqual(found(one), [(place + "postgres", 1, "migration")])
        self.assertEqual(found(good | {place + "both/0003_create_b.sql": ""}), [])
        self.assertEqual(found(one | {place + "both/0003_add_b.sql": ""})[0][2], "migration")
        self.fires("migration", place + "sqlite/1.sql", "")

    def test_requirements_name_what_exists(self):
        test = {"tests/unit/a_test.cpp": "TEST(Suite, Works) {}\nTEST_P(Store,\n       Keeps) {}\n"}
        page = "docs/internals/requirements.md"
        good = "`Suite.Works` `Stores/Store.Keeps` `tests/unit/a_test.cpp` `tests/unit/` `/api/v1/a` `a.b`\n"
        self.assertEqual(found(test | {page: good}), [])
        self.assertEqual(found(test | {page: "\n`Suite.Fails`\n"}), [(page, 2, "named_test")])
        self.assertEqual(found(test | {page: "`tests/unit/b_test.cpp`\n"}), [(page, 1, "named_file")])

    def test_documents_name_files_by_their_whole_path(self):
        page = "docs/adr/0001-a.md"
        code = {"src/base/a.h": HEADER}
        self.assertEqual(found(code | {page: "`src/base/a.h` `src/base/` `a.cpp` `base/b.h`\n```\n`src/b.h`\n```\n"}), [])
        self.assertEqual(found(code | {page: "\n`src/base/b.h`\n"}), [(page, 2, "named_file")])
        self.assertEqual(found(code | {page: "`Suite.Fails`\n"}), [(page, 1, "named_test")])

    def agrees(self, rule, page, sources, good, *bad):
        """The good text agrees with the sources; each bad one does not, at the line given with it."""
        self.assertEqual(found(sources | {page: good}), [], good)
        for text, line in bad:
            self.assertEqual(set(found(sources | {page: text})), {(page, line, rule)}, text)

    def test_the_folder_map_names_every_folder(self):
        sources = {"src/base/a.cpp": "", "src/base/ids/a.cpp": "", "src/precompiled.h": HEADER}
        self.agrees("folder_map", "docs/ARCHITECTURE.md", sources,
                    "Text\n```\nsrc/\n  base/     values\n    ids/    ids\n```\n",
                    ("```\nsrc/\n  base/  values\n```\n", 1),
                    ("Text\n```\nsrc/\n  base/  values\n    ids/\n  old/  gone\n```\n", 2),
                    ("```\nsrc/\n  base/  values\n    ids/  ids\n  and so on\n```\n", 5),
                    ("no map\n", 1))

    def test_the_operations_are_listed(self):
        sources = {"src/operations/operation.h": HEADER + "using Operation = std::variant<op::Start, op::Cancel>;\n"}
        head = "| folder | operations |\n|---|---|\n"
        tree = "```\nsrc/\n  operations/  all\n```\n"
        self.agrees("operations", "docs/ARCHITECTURE.md", sources,
                    head + "| `operations/lifecycle` | `Start`, `Cancel` |\n" + tree,
                    (head + "| `operations/lifecycle` | `Start` |\n" + tree, 1),
                    (tree + "\n" + head + "| `operations/lifecycle` | `Start`, `Cancel`, `Stop` |\n", 6))
        sources = {"src/operations/operation.h": HEADER, "src/operations/start.h": HEADER +
                   'auto name = "started";\nint a;\nauto name = "start";\n// Or none.\nusing Outcome = int;\n'}
        head = "| area | kinds |\n|---|---|\n"
        self.agrees("operations", "docs/reference/a.md", sources, head + "| lifecycle | `start` (begins) |\n",
                    ("\n" + head + "| lifecycle | `start`, `stop` |\n", 2))

    def test_the_threads_are_listed(self):
        sources = {"src/app/a.h": HEADER + "std::optional<WorkerPool> pool_;\nAnswerThread answers_;\n",
                   "src/app/a.cpp": 'A::A() : thread_(named_thread("timers", f)), answers_("answer-" + n, s) {\n'
                                    '    other_ = named_thread("round-" + n, f);\n    pool_.emplace(\n        "read", 4);\n}\n'}
        head = "```\nsrc/\n  app/  all\n```\n| thread | count |\n|---|---|\n| main | 1 |\n"
        self.agrees("threads", "docs/ARCHITECTURE.md", sources,
                    head + "| `timers` | 1 |\n| `round-N`, `answer-N` | 1 |\n| `read-N` | 4 |\n",
                    (head + "| `timers` | 1 |\n| `round-N` | 1 |\n| `read-N` | 4 |\n", 5),
                    (head + "| `timers`, `ticks` | 1 |\n| `round-N`, `answer-N` | 1 |\n| `read-N` | 4 |\n", 5))

    def test_the_data_model_has_every_table_and_column(self):
        golden = {"tests/golden/schema_postgres.txt": "column timers.due_at t\ncolumn waits.name t\n",
                  "tests/golden/schema_sqlite.txt": "CREATE TABLE timers (\nCREATE TABLE parts (\nCREATE VIEW waits as\n"}
        good = "# A\n\n## Tables\n\n### timers, waits\n\n`due_at` `name`\n\n### parts (SQLite)\n\n## More\n\n### other\n"
        self.agrees("data_model", "docs/internals/data_model.md", golden, good,
                    (good.replace(" `name`", ""), 5),
                    (good.replace("### parts (SQLite)\n", ""), 3),
                    (good.replace("timers, waits", "timers, waits, gone"), 3))

    def test_metrics_are_listed(self):
        head = "| metric | type |\n|---|---|\n"
        self.agrees("metrics", "docs/reference/a.md", {"src/round/metrics.cpp": 'a("holdfast_a", "A.");\nb("holdfast_b");\n'},
                    head + "| `holdfast_a{reason}`, `holdfast_b` | counter |\n",
                    (head + "| `holdfast_a` | counter |\n", 1),
                    ("\n" + head + "| `holdfast_a`, `holdfast_b`, `holdfast_c` | counter |\n", 2))

    def test_flags_of_the_server_are_listed(self):
        code = 'c.add_option("--store", s, "Where")->envname("HOLDFAST_STORE");\nc.add_flag("--demo", d);\n'
        head = "| flag | default | variable |\n|---|---|---|\n"
        self.agrees("flags", "docs/reference/a.md", {"src/app/commands/command_serve.cpp": code},
                    head + "| `--store` | | `HOLDFAST_STORE` |\n| `--demo` | | |\n",
                    (head + "| `--store` | | `HOLDFAST_STORE` |\n| `--demo`, `--old` | | |\n", 1),
                    (head + "| `--store` | | |\n| `--demo` | | |\n", 1))

    def test_commands_are_listed_with_their_flags(self):
        code = 'CLI::App* c = program.add_subcommand(\n    "list", "Lists");\nc->add_option("-o,--output", o);\n'
        head = "`--output` | \n\n| command | arguments |\n|---|---|\n"
        self.agrees("commands", "docs/reference/a.md", {"src/app/commands/command_list.cpp": code},
                    head + "| `list ID` | |\n",
                    (head, 3), (head + "| `list` | |\n| `show ID` | |\n", 3),
                    (head.replace("--output", "-o") + "| `list ID` | |\n", 3))

    def test_routes_are_listed(self):
        code = ('const std::string base = "/api/v1/tasks";\nadd_route(router, api, Method::get, base, f);\n'
                'add_route(router, api, Method::post, base + "/{task}/claim", f);\n'
                'add_route(router, api, Method::post, base + "/{task}/fail",\n    f);\n'
                'router.add({Method::del, "/api/v1/events/{event}", g});\nrouter.add({Method::get, "/healthz", h});\n')
        good = ("| route | success |\n|---|---|\n| `GET /api/v1/tasks` | 200 |\n| `POST /api/v1/tasks/{task}/claim` | 200 |\n"
                "| `POST /api/v1/tasks/{task}/fail` | 200 |\n| `DELETE /api/v1/events/{event}` | 204 |\n\n"
                "| route | token |\n|---|---|\n| `GET /healthz` | no |\n")
        self.agrees("routes", "docs/reference/a.md", {"src/http/routes/a.cpp": code}, good,
                    (good.replace("/fail", ""), 1), (good.replace("DELETE", "PUT"), 1), (good.replace("{task}", "{id}"), 1))

    def test_log_events_are_listed(self):
        head = "| level | event |\n|---|---|\n"
        self.agrees("log_events", "docs/reference/a.md", {"src/pump/a.cpp": 'log::warn("pump.failed", {});\n'},
                    head + "| warn | `pump.failed`, `pump.other` |\n", (head + "| warn | `pump.other` |\n", 1))

    def test_links_lead_somewhere(self):
        pages = {"README.md": "[a](docs/a.md#top) [b](https://example.org) `[c](d)`\n```\n[c](d)\n```\n",
                 "docs/a.md": "[up](../README.md) [here](#here)\n"}
        self.assertEqual(found(pages), [])
        self.fires("link", "docs/a.md", "\n[b](b.md)\n", 2)
        self.fires("link", "docs/a.md", "[b]: b.md\n")

    def test_an_unused_entry_of_the_allow_list_is_a_violation(self):
        code = {"src/base/a.h": HEADER + "void f(bool quick);\n"}
        self.assertEqual(found(code, (("bool_parameter", "src/base/*.h", "why"),)), [])
        code = {"src/base/a.h": HEADER}
        self.assertEqual([rule for _, _, rule in found(code, (("bool_parameter", "src/base/a.h", "why"),))],
                         ["allowed"])


if __name__ == "__main__":
    unittest.main()
