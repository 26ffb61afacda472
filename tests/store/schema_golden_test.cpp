// Compares the schema that the migrations produce with a committed copy.
#include "support/golden.h"
#include "support/world.h"

namespace holdfast::testing {
namespace {

// One text for the whole schema: columns with types and defaults, indexes, constraints, views.
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
    "union all select format('view %s %s', viewname, regexp_replace(definition, '\\s+', ' ', 'g')) "
    "from pg_views where schemaname = 'public' "
    "union all select format('options %s %s', oid::regclass, reloptions) from pg_class where "
    "relnamespace = 'public'::regnamespace and reloptions is not null) lines";

class SchemaGolden : public ::testing::TestWithParam<const char*> {};

TEST_P(SchemaGolden, TheMigrationsProduceTheCommittedSchema) {
    StorePlace place(GetParam(), "", StorePlace::Content::nothing);
    SystemClock clock;
    ASSERT_TRUE(open_store(place.url(), {.clock = &clock}).has_value());
    const bool sqlite = place.kind() == "sqlite";
    const std::string schema = place.query(sqlite ? sqlite_schema : postgres_schema) + '\n';
    expect_golden("schema_" + place.kind() + ".txt", schema);
}

INSTANTIATE_TEST_SUITE_P(Databases, SchemaGolden, ::testing::Values("sqlite", "postgres"),
                         store_name);

}  // namespace
}  // namespace holdfast::testing
