#include "flow/failure.h"

#include <cxxabi.h>

#include <boost/json.hpp>
#include <cstdlib>
#include <memory>
#include <typeinfo>

namespace holdfast::flow {
namespace {

namespace bj = boost::json;

std::string type_of(const std::exception& error) {
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> name(
        abi::__cxa_demangle(typeid(error).name(), nullptr, nullptr, &status), std::free);
    return status == 0 ? name.get() : typeid(error).name();
}

std::string text_of(const bj::object& object, std::string_view member) {
    const bj::value* found = object.if_contains(member);
    return found && found->is_string() ? std::string(found->get_string()) : std::string();
}

bj::object details_of(const std::exception& error) {
    return {{"type", type_of(error)}, {"message", error.what()}};
}

bj::array attempts_json(const std::vector<FailedAttempt>& attempts) {
    bj::array array;
    for (const FailedAttempt& attempt : attempts) array.push_back(to_json(attempt));
    return array;
}

}  // namespace

Json to_json(const FailedAttempt& attempt) {
    return bj::object{{"type", attempt.type}, {"message", attempt.message}};
}

FailedAttempt attempt_from_json(const Json& value) {
    const bj::object* object = value.if_object();
    if (!object) return {.type = {}, .message = bj::serialize(value)};
    return {.type = text_of(*object, "type"), .message = text_of(*object, "message")};
}

Json step_error(const StepEnd& end, const std::vector<FailedAttempt>& earlier) {
    std::vector<FailedAttempt> attempts = earlier;
    attempts.push_back(end.error);
    bj::object error{{"type", end.error.type}, {"message", end.error.message}};
    error["retryable"] = end.retryable;
    error["attempts"] = attempts_json(attempts);
    return error;
}

StepFailed step_failed(const std::string& step, const Json& error) {
    std::vector<FailedAttempt> attempts;
    const bj::object* object = error.if_object();
    const bj::value* list = object ? object->if_contains("attempts") : nullptr;
    if (list && list->is_array())
        for (const bj::value& one : list->get_array()) attempts.push_back(attempt_from_json(one));
    if (attempts.empty()) attempts.push_back(attempt_from_json(error));
    return {step, std::move(attempts)};
}

StepEnd describe_step_error(std::exception_ptr error, const StepOptions& options) {
    try {
        std::rethrow_exception(std::move(error));
    } catch (const NonRetryable& thrown) {
        return {.error = {type_of(thrown), thrown.what()}, .retryable = false};
    } catch (const Misuse& thrown) {
        return {.error = {type_of(thrown), thrown.what()}, .retryable = false};
    } catch (const std::exception& thrown) {
        const bool hopeless = options.non_retryable && options.non_retryable(thrown);
        return {.error = {type_of(thrown), thrown.what()}, .retryable = !hopeless};
    } catch (...) {
        return {.error = {"unknown", "an exception that is not a std::exception"}};
    }
}

FlowError describe_flow_error(std::exception_ptr error) {
    try {
        std::rethrow_exception(std::move(error));
    } catch (const StepFailed& thrown) {
        bj::object details = details_of(thrown);
        details["step"] = thrown.step;
        details["attempts"] = attempts_json(thrown.attempts);
        return {"step_failed", std::move(details)};
    } catch (const WorkflowFailed& thrown) {
        bj::object details = details_of(thrown);
        details["workflow"] = thrown.id;
        details["status"] = thrown.status;
        details["error"] = thrown.error;
        return {"workflow_failed", std::move(details)};
    } catch (const Misuse& thrown) {
        return {"misuse", details_of(thrown)};
    } catch (const Cancelled& thrown) {
        return {"cancelled", details_of(thrown)};
    } catch (const std::exception& thrown) {
        return {"error", details_of(thrown)};
    } catch (...) {
        bj::object details;
        details["message"] = "an exception that is not a std::exception";
        return {"error", std::move(details)};
    }
}

}  // namespace holdfast::flow
