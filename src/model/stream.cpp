#include "model/stream.h"

#include <algorithm>
#include <charconv>
#include <unordered_map>

namespace holdfast {
namespace {

constexpr char format = 1;
constexpr std::string_view kind_names[] = {"workflow", "incident", "task", "deadLetter",
                                           "deadEvent"};

bool has_subject(RecordKind kind) { return kind >= RecordKind::task; }

void append_number(std::string& bytes, std::uint64_t number) {
    for (; number >= 0x80; number >>= 7) bytes += static_cast<char>(number | 0x80);
    bytes += static_cast<char>(number);
}

void append_id(std::string& bytes, const Uuid& id) {
    bytes.append(reinterpret_cast<const char*>(id.bytes.data()), id.bytes.size());
}

// Numbers what repeats, in the order of its first use.
template <class Key, class Hash = std::hash<Key>>
class Numbering {
public:
    std::uint64_t of(const Key& key) {
        const auto [found, added] = numbers_.try_emplace(key, keys_.size());
        if (added) keys_.push_back(key);
        return found->second;
    }
    const std::vector<Key>& keys() const { return keys_; }

private:
    std::unordered_map<Key, std::uint64_t, Hash> numbers_;
    std::vector<Key> keys_;
};

// One text of each record: most are the same as in the record before.
class TextColumn {
public:
    explicit TextColumn(Numbering<std::string>& texts) : texts_(texts) {}

    std::uint64_t of(const std::string& text) {
        if (!last_ || *last_ != text) number_ = texts_.of(text);
        last_ = &text;
        return number_;
    }

private:
    Numbering<std::string>& texts_;
    const std::string* last_ = nullptr;
    std::uint64_t number_ = 0;
};

// All that records of one workflow have in common.
struct Owner {
    InstanceId instance;
    std::uint64_t tenant = 0;
    std::uint64_t definition = 0;
    std::uint64_t business_key = 0;

    bool operator==(const Owner&) const = default;
};
struct HashOfOwner {
    std::size_t operator()(const Owner& owner) const {
        return std::hash<InstanceId>()(owner.instance);
    }
};

class Reader {
public:
    explicit Reader(std::string_view bytes) : bytes_(bytes) {}

    std::uint64_t number() {
        std::uint64_t number = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            const auto byte = static_cast<std::uint8_t>(take(1)[0]);
            number |= std::uint64_t{byte & 0x7fu} << shift;
            if (byte < 0x80) return number;
        }
        sound_ = false;
        return 0;
    }
    // Of things that take at least a byte each.
    std::size_t count() {
        const std::uint64_t count = number();
        if (count > bytes_.size()) sound_ = false;
        return sound_ ? count : 0;
    }
    std::string text() { return std::string(take(count())); }
    Uuid id() {
        Uuid id;
        std::ranges::copy(take(id.bytes.size()), id.bytes.begin());
        return id;
    }
    template <class Items>
    auto pick(const Items& items) {
        const std::uint64_t at = number();
        if (at < items.size()) return items[at];
        sound_ = false;
        return typename Items::value_type{};
    }
    bool is_sound() const { return sound_; }
    bool is_at_end() const { return bytes_.empty(); }

private:
    std::string_view take(std::size_t size) {
        static constexpr char zeros[16] = {};
        if (size > bytes_.size()) {
            sound_ = false;
            return {zeros, std::min<std::size_t>(size, sizeof zeros)};
        }
        const std::string_view taken = bytes_.substr(0, size);
        bytes_.remove_prefix(size);
        return taken;
    }

    std::string_view bytes_;
    bool sound_ = true;
};

struct Tables {
    std::vector<std::string> texts;
    std::vector<StreamRecord> owners;
};

Tables read_tables(Reader& reader) {
    Tables tables;
    for (std::size_t left = reader.count(); left > 0; --left) tables.texts.push_back(reader.text());
    for (std::size_t left = reader.count(); left > 0 && reader.is_sound(); --left) {
        StreamRecord& owner = tables.owners.emplace_back();
        owner.instance = InstanceId{reader.id()};
        owner.tenant = reader.pick(tables.texts);
        owner.definition = reader.pick(tables.texts);
        owner.business_key = reader.pick(tables.texts);
    }
    return tables;
}

StreamRecord read_record(Reader& reader, const Tables& tables) {
    const auto kind = std::min<std::uint64_t>(reader.number(), std::size(kind_names) - 1);
    const std::string type = reader.pick(tables.texts);
    StreamRecord record = reader.pick(tables.owners);
    record.kind = static_cast<RecordKind>(kind);
    record.type = type;
    record.version = reader.number();
    record.user = reader.pick(tables.texts);
    if (has_subject(record.kind)) record.subject = reader.id();
    return record;
}

std::optional<std::uint64_t> parse_number(std::string_view text) {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool is_plain = text.size() == 1 || !text.starts_with('0');
    // The databases count with 63 bits.
    if (error != std::errc{} || end != text.data() + text.size() || !is_plain || number >> 63)
        return std::nullopt;
    return number;
}

}  // namespace

std::string_view name_of(RecordKind kind) { return kind_names[static_cast<std::size_t>(kind)]; }

std::optional<RecordKind> parse_record_kind(std::string_view text) {
    const auto found = std::ranges::find(kind_names, text);
    if (found == std::end(kind_names)) return std::nullopt;
    return static_cast<RecordKind>(found - std::begin(kind_names));
}

std::string encode(const RoundRecords& round) {
    Numbering<std::string> texts;
    Numbering<Owner, HashOfOwner> owners;
    TextColumn types(texts);
    TextColumn tenants(texts);
    TextColumn definitions(texts);
    TextColumn business_keys(texts);
    TextColumn users(texts);
    std::string records;
    append_number(records, round.records.size());
    for (const StreamRecord& record : round.records) {
        append_number(records, static_cast<std::uint64_t>(record.kind));
        append_number(records, types.of(record.type));
        append_number(records, owners.of({.instance = record.instance,
                                          .tenant = tenants.of(record.tenant),
                                          .definition = definitions.of(record.definition),
                                          .business_key = business_keys.of(record.business_key)}));
        append_number(records, record.version);
        append_number(records, users.of(record.user));
        if (has_subject(record.kind)) append_id(records, record.subject);
    }
    std::string bytes(1, format);
    append_number(bytes, static_cast<std::uint64_t>(round.at.time_since_epoch().count()));
    append_number(bytes, texts.keys().size());
    for (const std::string& text : texts.keys()) {
        append_number(bytes, text.size());
        bytes += text;
    }
    append_number(bytes, owners.keys().size());
    for (const Owner& owner : owners.keys()) {
        append_id(bytes, owner.instance.value);
        for (const std::uint64_t text : {owner.tenant, owner.definition, owner.business_key})
            append_number(bytes, text);
    }
    return bytes + records;
}

Result<RoundRecords> decode_records(std::string_view bytes) {
    Reader reader(bytes);
    RoundRecords round;
    const bool known = reader.number() == format;
    round.at = Moment{std::chrono::microseconds(reader.number())};
    const Tables tables = read_tables(reader);
    for (std::size_t left = reader.count(); left > 0 && reader.is_sound(); --left)
        round.records.push_back(read_record(reader, tables));
    if (!known || !reader.is_sound() || !reader.is_at_end())
        return fail(ErrorCode::corrupt, "the records of a round cannot be read");
    return round;
}

std::string to_string(const StreamPosition& position) {
    std::string text = std::to_string(position.round);
    if (position.seen != StreamPosition::all) text += '.' + std::to_string(position.seen);
    return text;
}

std::optional<StreamPosition> parse_stream_position(std::string_view text) {
    const std::size_t dot = text.find('.');
    const auto round = parse_number(text.substr(0, dot));
    if (!round) return std::nullopt;
    if (dot == std::string_view::npos) return StreamPosition{*round};
    const auto seen = parse_number(text.substr(dot + 1));
    if (!seen) return std::nullopt;
    return StreamPosition{*round, *seen};
}

}  // namespace holdfast
