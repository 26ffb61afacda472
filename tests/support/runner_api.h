// Base of API tests with the requests of senders and outside runners.
#pragma once

#include "support/api_server.h"

namespace holdfast::testing {

class RunnerApi : public DurableApi {
protected:
    static std::string path(const std::string& id, const std::string& rest) {
        return ApiServer::path_of(id) + rest;
    }
    Reply post(const std::string& target, const std::string& body = {},
               const Fields& headers = {}) {
        return server_.call(Method::post, target, body, headers);
    }
    Reply fetch(const std::string& target) { return server_.call(Method::get, target); }

    Reply send(const std::string& id, const std::string& name, const std::string& body = {},
               const Fields& headers = {}) {
        return post(path(id, "/events/" + name), body, headers);
    }
    Reply broadcast(const std::string& name, const std::string& body = {}) {
        return post("/api/v1/events/" + name, body);
    }
    Reply fate(const std::string& event) { return fetch("/api/v1/event-fates/" + event); }

    // In the first run.
    Reply wait(const std::string& id, int index, const std::string& condition) {
        return post(path(id, "/wait"),
                    R"({"run": 1, "index": )" + std::to_string(index) + ", " + condition + "}");
    }
    Reply wait_for(const std::string& id, int index, const std::string& name) {
        return wait(id, index, R"("names": [")" + name + "\"]");
    }
    Reply step(const std::string& id, int index, const std::string& name,
               const std::string& result = R"("value": {"ok": true})") {
        return server_.call(Method::put, path(id, "/steps/" + std::to_string(index)),
                            R"({"run": 1, "name": ")" + name + R"(", "inputHash": ")" +
                                std::string(64, 'a') + "\", " + result + "}");
    }
    Reply complete(const std::string& id, int index) {
        return post(path(id, "/complete"), R"({"run": 1, "index": )" + std::to_string(index) +
                                               R"(, "result": {"done": true}})");
    }
    // The id of an event "paid" with the value 5 whose target has ended.
    std::string dead_event() {
        const std::string id = server_.start_id();
        const Reply sent = send(id, "paid", R"({"value": 5, "onTargetEnded": "deadLetter"})");
        EXPECT_EQ(sent.status, 202) << sent;
        EXPECT_EQ(complete(id, 0).status, 200);
        return sent.text_at("/id");
    }
};

}  // namespace holdfast::testing
