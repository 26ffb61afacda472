// Base of API tests with the requests of people who work on tasks.
#pragma once

#include "support/runner_api.h"

namespace holdfast::testing {

class TaskApi : public RunnerApi {
protected:
    static std::string task_path(const std::string& task, const std::string& rest = "") {
        return "/api/v1/tasks/" + task + rest;
    }
    // As an outside runner in the first run.
    Reply create(const std::string& id, int index,
                 const std::string& more = R"("name": "approve")") {
        return post(path(id, "/tasks"),
                    R"({"run": 1, "index": )" + std::to_string(index) + ", " + more + "}");
    }
    std::string task_of(const std::string& id, int index,
                        const std::string& more = R"("name": "approve")") {
        const Reply created = create(id, index, more);
        EXPECT_EQ(created.status, 201) << created;
        return created.text_at("/id");
    }
    Reply change(const std::string& task, const std::string& verb, const std::string& if_match,
                 const std::string& user, const std::string& more = "") {
        return post(task_path(task, "/" + verb), R"({"user": ")" + user + "\"" + more + "}",
                    {{"If-Match", if_match}});
    }
    Reply claim(const std::string& task, const std::string& if_match, const std::string& user,
                const std::string& more = "") {
        return change(task, "claim", if_match, user, more);
    }
};

}  // namespace holdfast::testing
