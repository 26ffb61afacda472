// The second raw limit: what a store does with the rows of a workload and nothing else. The writes
// of a real run are recorded, and run again on an empty store in the same transactions.
#pragma once

#include <memory>
#include <string>

namespace holdfast::bench {

class RecordedWrites {
public:
    virtual ~RecordedWrites() = default;

    // What is written from now on is timed.
    virtual void start_timing() = 0;
    virtual void stop() = 0;
    struct Replayed {
        double seconds = 0;
        std::size_t transactions = 0;
        std::size_t statements = 0;  // without those that begin and commit
    };
    // Once the node that wrote is closed.
    virtual Replayed replay() = 0;
};

// Records the writes of stores that are opened after it. One at a time.
std::unique_ptr<RecordedWrites> record_sqlite();
std::unique_ptr<RecordedWrites> record_postgres();

}  // namespace holdfast::bench
