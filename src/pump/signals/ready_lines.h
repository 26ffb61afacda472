// Which instances' work may begin next: the programs take turns, so that the many of one do not
// keep the few of another waiting.
#pragma once

#include <deque>
#include <string>
#include <unordered_map>

#include "model/instance.h"

namespace holdfast {

class ReadyLines {
public:
    bool empty() const { return programs_.empty(); }

    void push(const std::string& program, const InstanceId& line) {
        std::deque<InstanceId>& lines = lines_[program];
        if (lines.empty()) programs_.push_back(program);
        lines.push_back(line);
    }
    // There must be one.
    InstanceId pop() {
        const auto found = lines_.find(programs_.front());
        const InstanceId line = found->second.front();
        found->second.pop_front();
        if (found->second.empty())
            lines_.erase(found);
        else
            programs_.push_back(programs_.front());
        programs_.pop_front();
        return line;
    }

private:
    std::unordered_map<std::string, std::deque<InstanceId>> lines_;  // in order of arrival
    std::deque<std::string> programs_;                               // of them, the next one first
};

}  // namespace holdfast
