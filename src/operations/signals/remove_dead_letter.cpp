#include "operations/signals/remove_dead_letter.h"

#include <boost/json.hpp>

#include "base/json/canonical.h"
#include "model/codec/codec.h"
#include "operations/lifecycle/ending.h"

namespace holdfast::op {

namespace {

namespace bj = boost::json;

bool is_buried(const Instance* instance) {
    return instance && is_open(instance->status) && instance->buried;
}

void fail_buried(View& view, const DeadLetter& letter, const Cause& cause) {
    const std::string code = "dead_letter_removed";
    bj::object error{{"message", "its dead letter was removed"},
                     {"signal", to_string(letter.signal.id)},
                     {"reason", name_of(letter.reason)},
                     {"detail", letter.detail}};
    error["by"] = user_json(cause.caller.user);
    const bj::object result{{"code", code}, {"error", std::move(error)}};
    end_instance(view, letter.signal.instance,
                 {.status = Status::failed,
                  .result = Document::of(result),
                  .type = HistoryType::failed,
                  .payload = json::canonical(result)},
                 cause);
    view.edit(letter.signal.instance).last_error = code;
}

}  // namespace

void reads(const RemoveDeadLetter& op, ReadSet& reads) { reads.signal(op.signal); }

RemoveDeadLetter::Outcome decide(const RemoveDeadLetter& op, View& view) {
    const KnownSignal known = view.signals().known(op.signal);
    if (!known.dead || !view.may_find(known.dead->tenant)) return NotFound{};
    const DeadLetter& letter = *known.dead;
    view.signals().unbury(letter);
    if (known.queued) view.signals().consume(*known.queued, view.now());  // held
    if (letter.signal.type == SignalType::internal_continue &&
        is_buried(view.find(letter.signal.instance)))
        fail_buried(view, letter, op.cause);
    return LetterRemoved{};
}

}  // namespace holdfast::op
