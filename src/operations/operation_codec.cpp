#include "operations/operation_codec.h"

#include "model/codec/codec.h"
#include "operations/operation_readers.h"

namespace holdfast {
namespace op {

Cause read_cause(MemberReader& reader) {
    return take(reader, "cause", cause_from_json(reader.value("cause")));
}

std::optional<ClientKey> read_client_key(MemberReader& reader) {
    if (reader.is_absent("clientKey")) return std::nullopt;
    MemberReader key(reader.value("clientKey"));
    ClientKey read{.key = key.text("key"),
                   .request = take(key, "request", parse_digest(key.text("request")))};
    return take(reader, "clientKey", key.give(std::move(read)));
}

std::optional<Version> read_expected(MemberReader& reader) {
    if (reader.is_absent("expected")) return std::nullopt;
    return reader.number("expected");
}

Lease read_lease(MemberReader& reader) {
    MemberReader lease(reader.value("lease"));
    return take(reader, "lease",
                lease.give(Lease{lease.id<NodeId>("node"), lease.number("epoch")}));
}

Run read_run(MemberReader& reader) {
    MemberReader run(reader.value("run"));
    Run read{run.number("run"), run.number("index"), {}};
    if (run.has("lease")) read.lease = read_lease(run);
    if (run.has("assumed")) read.assumed = take(run, "assumed", parse_digest(run.text("assumed")));
    return take(reader, "run", run.give(read));
}

std::optional<Document> read_optional_document(MemberReader& reader, std::string_view name) {
    if (!reader.has(name)) return std::nullopt;
    return reader.document(name);
}

std::optional<std::chrono::microseconds> read_duration(MemberReader& reader,
                                                       std::string_view name) {
    if (reader.is_absent(name)) return std::nullopt;
    return std::chrono::microseconds(static_cast<std::int64_t>(reader.number(name)));
}

}  // namespace op

namespace {

template <class Op>
Result<Operation> read_as(const boost::json::value& value) {
    MemberReader reader(value);
    Op op;
    op.cause = op::read_cause(reader);
    if constexpr (Keyed<Op>) op.client_key = op::read_client_key(reader);
    op::read(reader, op);
    return reader.give(Operation(std::move(op)));
}

// Every alternative of Operation has a reader, or this does not compile.
template <std::size_t index = 0>
Result<Operation> read_named(std::string_view name, const boost::json::value& value) {
    if constexpr (index == std::variant_size_v<Operation>) {
        return fail(ErrorCode::corrupt, "unknown operation '" + std::string(name) + "'");
    } else {
        using Op = std::variant_alternative_t<index, Operation>;
        return name == Op::name ? read_as<Op>(value) : read_named<index + 1>(name, value);
    }
}

}  // namespace

Result<Operation> operation_from_json(const boost::json::value& value) {
    MemberReader reader(value);
    HF_TRY(const std::string name, reader.give(reader.text("operation")));
    return read_named(name, value);
}

}  // namespace holdfast
