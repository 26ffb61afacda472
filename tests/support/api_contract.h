// Checks responses against /openapi.json: route, status, headers, content type, JSON, problem type.
#pragma once

#include <boost/json/object.hpp>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "http/router.h"
#include "http/wire/message.h"
#include "model/schema/rule.h"

namespace holdfast::testing {

// What a client sent and got.
struct Exchange {
    http::Method method = http::Method::get;
    std::string target;
    int status = 0;
    const http::Headers& headers;
    const std::string& body;
};

// Safe from any thread. Stricter than the document: answers have no members that it does not list.
class ApiContract {
public:
    explicit ApiContract(boost::json::object document);

    // That of the API, once a router with all of its routes was given. Null: not yet.
    static ApiContract* current();
    static void use(const http::Router& router);

    // Empty: the response is as described.
    std::string fault_of(const Exchange& exchange);

    // How the JSON breaks the schema of that name; empty: not at all.
    std::string violation(const std::string& schema, const std::string& body);

    // Described successes and problems of single routes, as "operation 409 stale-version".
    std::set<std::string> described() const;
    std::set<std::string> seen() const;

private:
    struct Operation {
        std::vector<std::string> segments;
        std::string method;  // "get"
        const boost::json::object* description = nullptr;
    };

    const Operation* find(const Exchange& exchange) const;
    const boost::json::value& resolved(const boost::json::value& value) const;
    std::string fault_without_route(const Exchange& exchange);
    std::string fault_in(const Operation& operation, const Exchange& exchange);
    std::string fault_of_problem(const boost::json::value& response, const std::string& slug,
                                 const Exchange& exchange);
    const schema::Program& compiled(const std::string& schema);

    const boost::json::object document_;
    const boost::json::object strict_;  // its components, without further members
    std::vector<Operation> operations_;
    mutable std::mutex mutex_;
    std::map<std::string, std::unique_ptr<const schema::Program>> schemas_;
    std::set<std::string> seen_;
};

}  // namespace holdfast::testing
