// The schema that the migrations produce, against a committed copy. After a deliberate change
// run once with HOLDFAST_UPDATE_GOLDEN=1 and look at the difference.
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "support/world.h"

namespace holdfast::testing {
namespace {

// One text for the whole schema: columns with types and defaults, indexes, constraints.
constexpr const char* sqlite_schema =
    "select group_concat(sql, ';' || char(10)) from (select sql from sqlite_master where sql is "
    "not "
    "null order by type desc, name)";
constexpr const char* postgres_schema =
    "select string_agg(line, chr(10) order by line) from ("
    "select format('column %s.%s %s %s %s', table_name, column_name, data_type, is_nullable, "
    "column_default) as line from information_schema.columns where table_schema = 'public' "
    "union all select 'index ' || indexdef from pg_indexes where schemaname = 'public' "
    "union all select format('constraint %s %s', conrelid::regclass, pg_get_constraintdef(oid)) "
    "from pg_constraint where connamespace = 'public'::regnamespace "
    "union all select format('options %s %s', oid::regclass, reloptions) from pg_class where "
    "relnamespace = 'public'::regnamespace and reloptions is not null) lines";

std::string read_file(const std::string& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

class SchemaGolden : public ::testing::TestWithParam<const char*> {};

TEST_P(SchemaGolden, TheMigrationsProduceTheCommittedSchema) {
    StorePlace place(GetParam());
    SystemClock clock;
    ASSERT_TRUE(open_store(place.url(), {.clock = &clock}).has_value());
    const bool sqlite = place.kind() == "sqlite";
    const std::string schema = place.query(sqlite ? sqlite_schema : postgres_schema) + '\n';
    const char* source = std::getenv("HOLDFAST_SOURCE");
    ASSERT_NE(source, nullptr) << "run this through ctest, or set HOLDFAST_SOURCE";
    const std::string path = std::string(source) + "/tests/golden/schema_" + place.kind() + ".txt";
    if (std::getenv("HOLDFAST_UPDATE_GOLDEN")) std::ofstream(path) << schema;
    EXPECT_EQ(schema, read_file(path));
}

INSTANTIATE_TEST_SUITE_P(Databases, SchemaGolden, ::testing::Values("sqlite", "postgres"),
                         store_name);

}  // namespace
}  // namespace holdfast::testing
