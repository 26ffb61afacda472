// Schedules for Node and testing::World.
#pragma once

#include "base/ids/id_source.h"
#include "holdfast/schedules.h"
#include "operations/operation.h"

namespace holdfast {

class WorkflowApi;

class ScheduleApi final : public Schedules {
public:
    // `api` runs the operations.
    explicit ScheduleApi(WorkflowApi& api) : api_(api) {}

    void put(const std::string& name, const Schedule& schedule) override;
    ScheduleStatus status(const std::string& name) override;
    bool remove(const std::string& name) override;
    void pause(const std::string& name, const std::string& reason) override;
    void resume(const std::string& name, const std::string& reason) override;
    void trigger(const std::string& name) override;
    void backfill(const std::string& name, const std::string& from, const std::string& to) override;

private:
    void direct(const std::string& name, boost::json::object request,
                const std::string& reason = {});

    WorkflowApi& api_;
};

}  // namespace holdfast
