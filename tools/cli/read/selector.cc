#include "tools/cli/read/selector.h"

#include <array>
#include <limits>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "engine/base/integer_text.h"
#include "engine/base/status_macros.h"
#include "journal/journal_info.h"
#include "journal/record.h"

namespace tools {
namespace {

constexpr absl::string_view kPositionExamples =
    "@1234567, @-1 (the last), @2026-08-22T09:30:00.5Z, @+5s (after the first record) or "
    "@order:998877";
constexpr absl::string_view kRangeExamples =
    "A..B, A.., ..B, A..+500, A..+10ms or a single position";

// "5s", "250ms". Returns false if `text` is not a duration, or does not fit.
bool ParseDuration(absl::string_view text, uint64_t& nanos) {
  constexpr std::array<std::pair<absl::string_view, uint64_t>, 6> kUnits = {
      {{"ns", 1},
       {"us", 1'000},
       {"ms", 1'000'000},
       {"s", 1'000'000'000},
       {"m", 60'000'000'000},
       {"h", 3'600'000'000'000}}};
  for (const auto& [unit, unit_nanos] : kUnits) {
    uint64_t count = 0;
    if (!absl::EndsWith(text, unit) || !engine::ParseInteger(absl::StripSuffix(text, unit), count))
      continue;
    return !__builtin_mul_overflow(count, unit_nanos, &nanos) &&
           nanos <= static_cast<uint64_t>(std::numeric_limits<int64_t>::max());
  }
  return false;
}

absl::Status RefusePosition(absl::string_view text) {
  return absl::InvalidArgumentError(
      absl::StrCat("'", text, "' is not a position; expected ", kPositionExamples));
}

std::string Span(const journal::JournalInfo& info) {
  if (info.record_count() == 0) return "the journal is empty";
  return absl::StrCat("the journal holds ", info.first_sequence.value(), "..",
                      info.last_sequence.value(), " (", info.first_time.ToString(), " to ",
                      info.last_time.ToString(), ")");
}

absl::Status OutOfRange(absl::string_view what, const journal::JournalInfo& info) {
  return absl::OutOfRangeError(absl::StrCat(what, " is outside: ", Span(info)));
}

absl::StatusOr<engine::SequenceNumber> Inside(uint64_t number, const journal::JournalInfo& info) {
  if (number < info.first_sequence.value() || number > info.last_sequence.value()) {
    return OutOfRange(absl::StrCat("@", number), info);
  }
  return engine::SequenceNumber(number);
}

// Returns the time of a position by time; nullopt for other kinds.
std::optional<engine::Timestamp> TimeOf(const Position& position,
                                        const journal::JournalInfo& info) {
  if (position.kind == Position::Kind::kTime) return position.time;
  if (position.kind != Position::Kind::kSinceStart) return std::nullopt;
  int64_t nanos = 0;
  if (__builtin_add_overflow(info.first_time.nanos(), static_cast<int64_t>(position.number),
                             &nanos)) {
    nanos = std::numeric_limits<int64_t>::max();
  }
  return engine::Timestamp::FromNanos(nanos);
}

// Returns the first record at or after `time`; one past the journal's last if there is none.
absl::StatusOr<engine::SequenceNumber> FirstAtOrAfter(engine::Timestamp time,
                                                      journal::Reader& reader) {
  RETURN_IF_ERROR(reader.SeekToTime(time));
  ASSIGN_OR_RETURN(const std::optional<journal::Record> record, reader.Next());
  return record.has_value() ? record->sequence() : reader.info().last_sequence.Next();
}

// Resolves the end of a range: for a time, the last record that is not after it.
absl::StatusOr<engine::SequenceNumber> ResolveEnd(const Position& position,
                                                  journal::Reader& reader) {
  const journal::JournalInfo& info = reader.info();
  const std::optional<engine::Timestamp> time = TimeOf(position, info);
  if (!time.has_value()) return Resolve(position, reader);
  if (*time < info.first_time || info.record_count() == 0)
    return OutOfRange(time->ToString(), info);
  if (*time >= info.last_time) return info.last_sequence;
  ASSIGN_OR_RETURN(const engine::SequenceNumber after,
                   FirstAtOrAfter(engine::Timestamp::FromNanos(time->nanos() + 1), reader));
  return after - 1;
}

// The end of a range that has `nanos`, counted from its first position's time, or else from the
// time of its first record.
absl::StatusOr<Position> EndOfSpan(const Range& range, engine::SequenceNumber first,
                                   journal::Reader& reader) {
  const journal::JournalInfo& info = reader.info();
  std::optional<engine::Timestamp> begin =
      range.first.has_value() ? TimeOf(*range.first, info) : info.first_time;
  if (!begin.has_value()) {
    RETURN_IF_ERROR(reader.SeekToSequence(first));
    ASSIGN_OR_RETURN(const std::optional<journal::Record> record, reader.Next());
    begin = record.has_value() ? record->timestamp() : info.last_time;
  }
  int64_t end = 0;
  if (__builtin_add_overflow(begin->nanos(), static_cast<int64_t>(*range.nanos), &end)) {
    end = std::numeric_limits<int64_t>::max();
  }
  return Position{.kind = Position::Kind::kTime, .time = engine::Timestamp::FromNanos(end)};
}

}  // namespace

absl::StatusOr<Position> ParsePosition(absl::string_view text) {
  absl::string_view rest = text;
  const bool has_mark = absl::ConsumePrefix(&rest, "@");
  Position position;
  if (engine::ParseInteger(rest, position.number)) return position;
  // Only a plain number may omit the '@'; other forms could be mistaken for something else.
  if (!has_mark) return RefusePosition(text);

  if (absl::ConsumePrefix(&rest, "order:")) {
    if (engine::ParseInteger(rest, position.number)) return position;
  } else if (absl::ConsumePrefix(&rest, "-")) {
    position.kind = Position::Kind::kFromEnd;
    if (engine::ParseInteger(rest, position.number) && position.number > 0) return position;
  } else if (absl::ConsumePrefix(&rest, "+")) {
    position.kind = Position::Kind::kSinceStart;
    if (ParseDuration(rest, position.number)) return position;
  } else if (const auto time = engine::Timestamp::Parse(rest); time.ok()) {
    position.kind = Position::Kind::kTime;
    position.time = *time;
    return position;
  }
  return RefusePosition(text);
}

std::string MarkedPosition(absl::string_view typed) {
  typed = absl::StripAsciiWhitespace(typed);
  while (absl::ConsumePrefix(&typed, "@")) {
  }
  return absl::StrCat("@", typed);
}

absl::StatusOr<Range> ParseRange(absl::string_view text) {
  Range range;
  const auto dots = text.find("..");
  if (dots == absl::string_view::npos) {
    ASSIGN_OR_RETURN(range.first, ParsePosition(text));
    range.last = range.first;
    // A single time means the first record at or after it, not the empty range that ends before it.
    if (range.first->kind == Position::Kind::kTime ||
        range.first->kind == Position::Kind::kSinceStart) {
      range.last = std::nullopt;
      range.count = 1;
    }
    return range;
  }
  const absl::string_view first = text.substr(0, dots);
  const absl::string_view last = text.substr(dots + 2);
  if (!first.empty()) {
    ASSIGN_OR_RETURN(range.first, ParsePosition(first));
  }
  if (absl::StartsWith(last, "+")) {
    uint64_t number = 0;
    if (ParseDuration(last.substr(1), number)) {
      range.nanos = number;
    } else if (engine::ParseInteger(last.substr(1), number) && number > 0) {
      range.count = number;
    } else {
      return absl::InvalidArgumentError(
          absl::StrCat("'", last, "' in the range '", text,
                       "' is neither a number of records nor a time; expected ", kRangeExamples));
    }
  } else if (!last.empty()) {
    ASSIGN_OR_RETURN(range.last, ParsePosition(last));
  }
  return range;
}

absl::StatusOr<engine::SequenceNumber> Resolve(const Position& position, journal::Reader& reader) {
  const journal::JournalInfo& info = reader.info();
  if (position.kind == Position::Kind::kSequence) return Inside(position.number, info);
  if (position.kind == Position::Kind::kFromEnd) {
    if (position.number > info.record_count()) {
      return OutOfRange(absl::StrCat("@-", position.number), info);
    }
    return info.last_sequence - (position.number - 1);
  }
  const engine::Timestamp time = *TimeOf(position, info);
  if (info.record_count() == 0 || time > info.last_time) return OutOfRange(time.ToString(), info);
  return FirstAtOrAfter(time, reader);
}

absl::StatusOr<SequenceRange> Resolve(const Range& range, journal::Reader& reader) {
  const journal::JournalInfo& info = reader.info();
  SequenceRange resolved = {.first = info.first_sequence, .last = info.last_sequence};
  if (range.first.has_value()) {
    ASSIGN_OR_RETURN(resolved.first, Resolve(*range.first, reader));
  }
  std::optional<Position> last = range.last;
  if (range.nanos.has_value()) {
    ASSIGN_OR_RETURN(last, EndOfSpan(range, resolved.first, reader));
  }
  if (last.has_value()) {
    ASSIGN_OR_RETURN(resolved.last, ResolveEnd(*last, reader));
    if (resolved.empty()) {
      return absl::InvalidArgumentError(absl::StrCat("the range holds no record: it begins at @",
                                                     resolved.first.value(), " and ends at @",
                                                     resolved.last.value(), "; ", Span(info)));
    }
  } else if (range.count.has_value() && *range.count < resolved.record_count()) {
    resolved.last = resolved.first + (*range.count - 1);
  }
  return resolved;
}

absl::StatusOr<engine::SequenceNumber> ResolvePosition(absl::string_view text,
                                                       journal::Reader& reader) {
  ASSIGN_OR_RETURN(const Position position, ParsePosition(text));
  return Resolve(position, reader);
}

absl::StatusOr<SequenceRange> ResolveRange(const std::string& text, journal::Reader& reader) {
  if (text.empty()) return Resolve(Range(), reader);
  ASSIGN_OR_RETURN(const Range range, ParseRange(text));
  return Resolve(range, reader);
}

}  // namespace tools
