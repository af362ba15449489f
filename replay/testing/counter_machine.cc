#include "replay/testing/counter_machine.h"

#include <array>
#include <optional>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "engine/base/bytes.h"
#include "engine/base/prng.h"
#include "engine/base/status_macros.h"

namespace replay {
namespace {

constexpr std::array<absl::string_view, 4> kRowKinds = {"", "add", "ask", "clear_at"};
constexpr std::array<absl::string_view, 6> kOutputKinds = {"",        "changed",   "value",
                                                           "refused", "timer_set", "cleared"};

template <size_t kSize>
std::string NameIn(const std::array<absl::string_view, kSize>& names, uint16_t kind) {
  return kind == 0 || kind >= kSize ? absl::StrCat(kind) : std::string(names[kind]);
}

void Append(uint64_t number, std::vector<std::byte>& bytes) {
  bytes.resize(bytes.size() + sizeof(number));
  engine::StoreLittleEndian(number, bytes.data() + bytes.size() - sizeof(number));
}

}  // namespace

journal::Row ToRow(const CounterRow& row, engine::SequenceNumber sequence, engine::Timestamp time) {
  journal::Row made{.sequence = sequence, .timestamp = time, .payload = {}};
  engine::StoreLittleEndian(static_cast<uint16_t>(row.kind), made.payload.data());
  engine::StoreLittleEndian(row.counter, made.payload.data() + 4);
  engine::StoreLittleEndian(row.number, made.payload.data() + 8);
  return made;
}

CounterRow ToCounterRow(const journal::Row& row) {
  const std::byte* const payload = row.payload.data();
  return {.kind = static_cast<CounterRowKind>(engine::LoadLittleEndian<uint16_t>(payload)),
          .counter = engine::LoadLittleEndian<uint32_t>(payload + 4),
          .number = engine::LoadLittleEndian<uint64_t>(payload + 8)};
}

void CounterMachine::Say(CounterOutputKind kind, uint32_t counter, uint64_t value) {
  Output& output = outputs_.Append(static_cast<uint16_t>(kind));
  engine::StoreLittleEndian(counter, output.payload.data());
  engine::StoreLittleEndian(value, output.payload.data() + 8);
}

std::span<const Output> CounterMachine::Apply(ApplyKey, const journal::Record& record) {
  outputs_.Begin(record.sequence());
  last_ = {.sequence = record.sequence(), .time = record.timestamp()};
  while (!timers_.empty() && timers_.begin()->first <= record.timestamp()) {
    const uint32_t counter = timers_.begin()->second;
    timers_.erase(timers_.begin());
    Say(CounterOutputKind::kCleared, counter, counters_[counter]);
    counters_.erase(counter);
  }
  const CounterRow row = ToCounterRow(*record.row);
  const auto found = counters_.find(row.counter);
  const uint64_t value = found == counters_.end() ? 0 : found->second;
  if (row.counter == 0 || row.kind > CounterRowKind::kClearAt) {
    Say(CounterOutputKind::kRefused, row.counter, row.number);
  } else if (row.kind == CounterRowKind::kAdd) {
    const bool is_wrong = wrong_above_ != 0 && value > wrong_above_;
    counters_[row.counter] = value + row.number + (is_wrong ? 1 : 0);
    Say(CounterOutputKind::kChanged, row.counter, counters_[row.counter]);
  } else if (row.kind == CounterRowKind::kClearAt) {
    timers_.emplace(engine::Timestamp::FromNanos(static_cast<int64_t>(row.number)), row.counter);
    Say(CounterOutputKind::kTimerSet, row.counter, row.number);
  } else {
    Say(CounterOutputKind::kValue, row.counter, value);
  }
  return outputs_.outputs();
}

engine::Timestamp CounterMachine::NextTimer() const {
  return timers_.empty() ? engine::Timestamp::Max() : timers_.begin()->first;
}

std::vector<std::byte> CounterMachine::State() const {
  std::vector<std::byte> bytes;
  Append(counters_.size(), bytes);
  for (const auto& [counter, value] : counters_) {
    Append(counter, bytes);
    Append(value, bytes);
  }
  for (const auto& [due, counter] : timers_) {
    Append(static_cast<uint64_t>(due.nanos()), bytes);
    Append(counter, bytes);
  }
  return bytes;
}

engine::Digest CounterMachine::StateDigest() const { return engine::DigestOf(State()); }

absl::Status CounterMachine::Save(engine::SnapshotSink sink) const {
  std::vector<std::byte> head;
  Append(last_.sequence.value(), head);
  Append(static_cast<uint64_t>(last_.time.nanos()), head);
  RETURN_IF_ERROR(sink(head));
  return sink(State());
}

absl::Status CounterMachine::Load(engine::SnapshotSource source) {
  std::vector<uint64_t> words;
  while (true) {
    ASSIGN_OR_RETURN(const std::optional<engine::Bytes> part, source());
    if (!part.has_value()) break;
    for (size_t at = 0; at + sizeof(uint64_t) <= part->size(); at += sizeof(uint64_t)) {
      words.push_back(engine::LoadLittleEndian<uint64_t>(part->data() + at));
    }
  }
  if (words.size() < 3 || words.size() % 2 == 0 || words[2] > (words.size() - 3) / 2) {
    return absl::DataLossError("this is not the state of counters");
  }
  last_ = {.sequence = engine::SequenceNumber(words[0]),
           .time = engine::Timestamp::FromNanos(static_cast<int64_t>(words[1]))};
  for (size_t i = 3; i < words.size(); i += 2) {
    if (i < 3 + 2 * words[2]) {
      counters_[static_cast<uint32_t>(words[i])] = words[i + 1];
    } else {
      timers_.emplace(engine::Timestamp::FromNanos(static_cast<int64_t>(words[i])),
                      static_cast<uint32_t>(words[i + 1]));
    }
  }
  return absl::OkStatus();
}

uint16_t CounterVocabulary::KindOf(const journal::Row& row) const {
  return static_cast<uint16_t>(ToCounterRow(row).kind);
}

std::string CounterVocabulary::RowKindName(uint16_t kind) const { return NameIn(kRowKinds, kind); }

std::string CounterVocabulary::OutputKindName(uint16_t kind) const {
  return NameIn(kOutputKinds, kind);
}

std::vector<NamedValue> CounterVocabulary::Fields(const journal::Record& record) const {
  const CounterRow row = ToCounterRow(*record.row);
  std::vector<NamedValue> fields = {{.name = "counter", .value = absl::StrCat(row.counter)}};
  if (row.kind == CounterRowKind::kAdd) {
    fields.push_back({.name = "amount", .value = absl::StrCat(row.number)});
  } else if (row.kind == CounterRowKind::kClearAt) {
    const auto due = engine::Timestamp::FromNanos(static_cast<int64_t>(row.number));
    fields.push_back({.name = "due", .value = due.ToString(), .is_text = true});
  }
  return fields;
}

std::vector<NamedValue> CounterVocabulary::Fields(const Output& output) const {
  const std::byte* const payload = output.payload.data();
  return {
      {.name = "counter", .value = absl::StrCat(engine::LoadLittleEndian<uint32_t>(payload))},
      {.name = "value", .value = absl::StrCat(engine::LoadLittleEndian<uint64_t>(payload + 8))}};
}

Log CounterSession(size_t length) {
  engine::Prng prng(5);
  Log log;
  for (size_t i = 1; i <= length; ++i) {
    const int64_t nanos = static_cast<int64_t>(i) * 1'000'000;
    CounterRow row{.kind = CounterRowKind::kAdd,
                   .counter = static_cast<uint32_t>(prng.Below(10)),
                   .number = 1 + prng.Below(100)};
    const uint64_t die = prng.Below(20);
    if (i == 1) {
      row.counter = 1;
    } else if (die < 4) {
      row.kind = CounterRowKind::kAsk;
    } else if (die == 4) {
      row.kind = CounterRowKind::kClearAt;
      row.number = static_cast<uint64_t>(nanos) + prng.Below(50'000'000);
    }
    log.push_back(
        {.row = ToRow(row, engine::SequenceNumber(i), engine::Timestamp::FromNanos(nanos))});
  }
  return log;
}

}  // namespace replay
