// Searches for instances: one index narrows the candidates, the other filters are checked row by
// row, and every page scans a bounded number of rows.
#pragma once

#include "store/query.h"
#include "store/sqlite/database.h"

namespace holdfast::sqlite {

// One snapshot for several statements.
class ReadTransaction {
public:
    explicit ReadTransaction(Database& database) : database_(database) {
        (void)database_.execute("begin");
    }
    ~ReadTransaction() { (void)database_.execute("commit"); }
    ReadTransaction(const ReadTransaction&) = delete;
    ReadTransaction& operator=(const ReadTransaction&) = delete;

private:
    Database& database_;
};

Result<InstancePage> search(Database& database, const InstanceQuery& query);

}  // namespace holdfast::sqlite
