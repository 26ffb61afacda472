#include "operations/signals/remove_dead_letter.h"

#include <boost/json.hpp>

#include "model/codec/codec.h"

namespace holdfast::op {

void reads(const RemoveDeadLetter& op, ReadSet& reads) { reads.signal(op.signal); }

RemoveDeadLetter::Outcome decide(const RemoveDeadLetter& op, View& view) {
    if (!view.signals().known(op.signal).dead) return NotFound{};
    view.signals().unbury(op.signal);
    return LetterRemoved{};
}

boost::json::object to_json(const RemoveDeadLetter& op) {
    return {{"operation", op.name}, {"cause", to_json(op.cause)}, {"signal", to_string(op.signal)}};
}

boost::json::object to_json(const LetterRemoved&) { return named("letterRemoved"); }

}  // namespace holdfast::op
