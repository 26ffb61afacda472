// One reaction of a schedule: settles what is due by now, starts what waited, and waits again.
#pragma once

#include <optional>
#include <string>

#include "program/reaction.h"
#include "program/schedule/program.h"

namespace holdfast::schedule {

class Turn {
public:
    Turn(const Instance& instance, Stored stored, Moment now);

    // What somebody asks for: {"do": "update", "spec": {}}, {"do": "trigger", "overlap": "allow"},
    // {"do": "backfill", "from": , "to": , "overlap": }, {"do": "clearQueue"}, {"do": "resume"}.
    // Absent: it is taken; otherwise why not.
    std::optional<std::string> take(const boost::json::value& request, Moment at);
    void note_end(const InstanceId& workflow);
    Reaction finish(const std::string& happened) &&;

private:
    std::optional<std::string> update(const boost::json::object& request);
    std::optional<std::string> trigger(const boost::json::object& request);
    std::optional<std::string> backfill(const boost::json::object& request);

    void settle_due();
    // Counts it as missed; a long time at once.
    void miss(Moment due);
    bool is_overtaken(Moment due) const;
    void drain();
    // False: it has to wait.
    bool advance(Backfill& backfill);
    void fire(Moment due, Why why, Overlap overlap);
    InstanceId start(const StartAction& action, Moment due);
    void send(const SendAction& action, Moment due);
    void note(Moment due, Why why, std::optional<InstanceId> workflow);
    void wait_again();
    bool is_full();
    Uuid new_id(Moment time);
    std::optional<Moment> due_after(Moment time) const;
    Moment time_of(Moment due) const;

    const Instance& instance_;
    const Moment now_;
    Stored stored_;
    Progress& progress_;
    const Progress before_;
    Reaction reaction_;
    std::size_t acts_ = 0;  // starts and sends
    std::size_t missed_now_ = 0;
    bool more_ = false;             // is due now and left to the next round
    bool started_running_ = false;  // a workflow whose end it waits for, which may be there already
    std::uint16_t made_ = 0;
    // Of the ids that it makes: not `now`, which is another one when the operation runs again.
    Moment time_of_ids_;
};

}  // namespace holdfast::schedule
