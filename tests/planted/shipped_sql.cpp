// The generated statements under other names, for planted_sql.cpp to change.
#define sqlite_statements shipped_sqlite_statements
#define postgres_statements shipped_postgres_statements
#include "embedded_sql.cpp"
