// Every operation of the engine as one type. A new operation is a file pair and a line here.
#pragma once

#include <boost/json/object.hpp>
#include <concepts>
#include <string>
#include <string_view>
#include <variant>

#include "coordinator/cancel.h"
#include "coordinator/checkpoint.h"
#include "coordinator/clear.h"
#include "coordinator/define.h"
#include "coordinator/edit_state.h"
#include "coordinator/fork.h"
#include "coordinator/quarantine.h"
#include "coordinator/read.h"
#include "coordinator/release.h"
#include "coordinator/restore.h"
#include "coordinator/start.h"
#include "coordinator/write.h"

namespace holdfast {

using Operation =
    std::variant<op::Define, op::Start, op::EditState, op::Cancel, op::Clear, op::Checkpoint,
                 op::Restore, op::Fork, op::Write, op::Read, op::Release, op::Quarantine>;

using AnyOutcome = std::variant<op::Define::Outcome, op::Start::Outcome, op::EditState::Outcome,
                                op::Cancel::Outcome, op::Clear::Outcome, op::Checkpoint::Outcome,
                                op::Restore::Outcome, op::Fork::Outcome, op::Write::Outcome,
                                op::Read::Outcome, op::Release::Outcome, op::Quarantine::Outcome>;

// Operations that a client may mark with a key: the first outcome that changed something is kept.
template <class Op>
concept Keyed = requires(const Op& op) { op.client_key; };

boost::json::object to_json(const Operation& operation);
boost::json::object to_json(const AnyOutcome& outcome);

// Which shard an operation belongs to: all that touch one instance go the same way.
inline std::size_t shard_hash(const InstanceId& id) { return std::hash<InstanceId>{}(id) >> 32; }
inline std::size_t shard_hash(const op::Define& op) { return std::hash<std::string>{}(op.key); }
inline std::size_t shard_hash(const op::Start& op) { return shard_hash(op.instance()); }
inline std::size_t shard_hash(const op::Fork& op) { return shard_hash(op.source); }
inline std::size_t shard_hash(const op::Write& op) { return shard_hash(op.instance.id); }
template <class Op>
std::size_t shard_hash(const Op& op) {
    return shard_hash(op.instance);
}

// The JSON of an outcome that a repeat with the same client key must get; absent: a refusal, not
// kept.
std::optional<std::string> kept_form(const op::Start::Outcome& outcome);
std::optional<std::string> kept_form(const op::Cancel::Outcome& outcome);
std::optional<std::string> kept_form(const op::Checkpoint::Outcome& outcome);
std::optional<std::string> kept_form(const op::Restore::Outcome& outcome);
std::optional<std::string> kept_form(const op::Fork::Outcome& outcome);
std::optional<std::string> kept_form(const op::Release::Outcome& outcome);

// The outcome behind a kept form.
Result<op::Start::Outcome> from_kept(const op::Start&, std::string_view kept);
Result<op::Cancel::Outcome> from_kept(const op::Cancel&, std::string_view kept);
Result<op::Checkpoint::Outcome> from_kept(const op::Checkpoint&, std::string_view kept);
Result<op::Restore::Outcome> from_kept(const op::Restore&, std::string_view kept);
Result<op::Fork::Outcome> from_kept(const op::Fork&, std::string_view kept);
Result<op::Release::Outcome> from_kept(const op::Release&, std::string_view kept);

}  // namespace holdfast
