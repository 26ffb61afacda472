// Work that the engine hands to others: to workers, to scripts, to decisions, to people.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bpmn/expression/compile_text.h"

namespace holdfast::bpmn {

struct Job {
    TextOrExpression type;     // which workers take it
    TextOrExpression retries;  // a number; an empty text: the engine's default
    std::string retry_cycle;   // R3/PT10M, or pauses with commas between them
    std::map<std::string, std::string> headers;
};

// A text in a script language, or FEEL that is evaluated in place.
struct Script {
    std::string format;  // as in scriptFormat; empty: FEEL
    std::string text;
    std::optional<feel::Expression> feel;
    std::string result_variable;
};

struct Decision {
    TextOrExpression id;
    std::string result_variable;
};

struct Assignment {
    std::optional<TextOrExpression> name;  // of the task; absent: that of its element
    std::optional<TextOrExpression> assignee;
    std::vector<TextOrExpression> candidate_users;
    std::vector<TextOrExpression> candidate_groups;
    // Expressions that give a list of names.
    std::optional<feel::Expression> user_list;
    std::optional<feel::Expression> group_list;
    std::optional<TextOrExpression> due_date;
    std::optional<TextOrExpression> follow_up_date;
    std::optional<TextOrExpression> priority;
    std::optional<TextOrExpression> form;
};

}  // namespace holdfast::bpmn
