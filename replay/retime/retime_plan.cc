#include "replay/retime/retime_plan.h"

#include <algorithm>
#include <map>
#include <optional>
#include <span>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/strip.h"
#include "engine/base/check.h"
#include "engine/base/status_macros.h"
#include "journal/log_digest.h"
#include "replay/driver.h"
#include "replay/output.h"

namespace replay {
namespace {

// Commands are held in memory: with their classes and times, 12 GB.
constexpr uint64_t kCommandsMax = 100'000'000;

constexpr uint64_t kNanosPerSecond = 1'000'000'000;
constexpr uint64_t kDueMax = uint64_t{1} << 63;
constexpr uint64_t kThousandthsMax = 1'000'000'000;
constexpr size_t kDecimals = 3;

// Parses "12" or "0.25" into thousandths. Nullopt for more than three decimals or an invalid
// number.
std::optional<uint64_t> ParseThousandths(absl::string_view text) {
  const size_t point = text.find('.');
  absl::string_view whole = text.substr(0, point);
  std::string decimals;
  if (point != absl::string_view::npos) decimals = std::string(text.substr(point + 1));
  if (decimals.size() > kDecimals || whole.empty() || whole.size() > 9) return std::nullopt;
  decimals.resize(kDecimals, '0');
  uint64_t value = 0;
  for (const char digit : absl::StrCat(whole, decimals)) {
    if (digit < '0' || digit > '9') return std::nullopt;
    value = value * 10 + static_cast<uint64_t>(digit - '0');
  }
  return value;
}

}  // namespace

uint64_t RetimeSpeed::DueNanos(uint64_t index, uint64_t recorded_nanos) const {
  CHECK(is_open_loop());
  const auto due = kind == Kind::kRate
                       ? static_cast<unsigned __int128>(index) * kNanosPerSecond / per_second
                       : static_cast<unsigned __int128>(recorded_nanos) * 1000 / thousandths;
  return static_cast<uint64_t>(std::min<unsigned __int128>(due, kDueMax));
}

std::string RetimeSpeed::ToString() const {
  if (kind == Kind::kMax) return "max";
  if (kind == Kind::kRate) {
    if (per_second % 1'000'000 == 0) return absl::StrCat(per_second / 1'000'000, "M/s");
    return per_second % 1000 == 0 ? absl::StrCat(per_second / 1000, "k/s")
                                  : absl::StrCat(per_second, "/s");
  }
  if (thousandths % 1000 == 0) return absl::StrCat(thousandths / 1000, "x");
  return absl::StrFormat("%d.%03dx", thousandths / 1000, thousandths % 1000);
}

absl::StatusOr<RetimeSpeed> RetimeSpeed::Parse(absl::string_view text) {
  const absl::Status refused = absl::InvalidArgumentError(
      absl::StrCat("speed '", text, "': expected max, a factor such as 1x, 10x or 0.5x, or a rate ",
                   "such as 1M/s, 50k/s or 200/s"));
  if (text == "max") return RetimeSpeed();
  absl::string_view number = text;
  if (absl::ConsumeSuffix(&number, "/s")) {
    uint64_t unit = 1;
    if (absl::ConsumeSuffix(&number, "k")) unit = 1000;
    if (absl::ConsumeSuffix(&number, "M")) unit = 1'000'000;
    const std::optional<uint64_t> value = ParseThousandths(number);
    if (!value.has_value() || *value * unit / 1000 == 0 || *value > kThousandthsMax) return refused;
    return RetimeSpeed{.kind = Kind::kRate, .per_second = *value * unit / 1000};
  }
  if (!absl::ConsumeSuffix(&number, "x")) return refused;
  const std::optional<uint64_t> value = ParseThousandths(number);
  if (!value.has_value() || *value == 0) return refused;
  return RetimeSpeed{.kind = Kind::kRecorded, .thousandths = *value};
}

absl::StatusOr<RetimePlan> MakeRetimePlan(journal::Reader& reader, Machine& machine,
                                          const Vocabulary& vocabulary,
                                          engine::SequenceNumber first, engine::SequenceNumber last,
                                          const RetimeSpeed& speed) {
  const engine::SequenceNumber begin = reader.info().first_sequence;
  if (last - begin >= kCommandsMax) {
    return absl::ResourceExhaustedError(
        absl::StrCat("@", begin.value(), "..@", last.value(), ": expected at most ", kCommandsMax,
                     " commands, which are held in memory; --to takes fewer"));
  }
  RETURN_IF_ERROR(reader.SeekToSequence(begin));
  RetimePlan plan;
  plan.timed_from = first - begin;
  plan.rows.reserve(last - begin + 1);
  std::map<RecordClass, uint16_t> index_of_class;
  journal::LogDigest log;
  Driver driver(machine);
  RETURN_IF_ERROR(
      driver.Run(reader, last, [&](const journal::Record& record, std::span<const Output> outputs) {
        log.Add(record);
        if (!record.attachment.empty()) {
          plan.attachments.emplace_back(
              plan.rows.size(),
              std::vector<std::byte>(record.attachment.begin(), record.attachment.end()));
        }
        plan.rows.push_back(*record.row);
        if (record.sequence() < first) return true;
        const RecordClass its_class = {.kind = vocabulary.KindOf(*record.row),
                                       .outcome = vocabulary.OutcomeOf(*record.row, outputs)};
        const auto [entry, is_new] =
            index_of_class.emplace(its_class, static_cast<uint16_t>(plan.classes.size()));
        if (is_new) plan.classes.push_back(its_class);
        plan.class_of.push_back(entry->second);
        if (speed.is_open_loop()) {
          const auto since_first =
              static_cast<uint64_t>(record.timestamp().nanos()) -
              static_cast<uint64_t>(plan.rows[plan.timed_from].timestamp.nanos());
          plan.due_nanos.push_back(speed.DueNanos(plan.class_of.size() - 1, since_first));
        }
        return true;
      }));
  plan.log = log.Value();
  plan.state = machine.StateDigest();
  return plan;
}

}  // namespace replay
