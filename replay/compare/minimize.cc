#include "replay/compare/minimize.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "engine/base/sequence_number.h"
#include "engine/base/status_macros.h"
#include "engine/base/timestamp.h"

namespace replay {

LogItems ToItems(Log log) {
  LogItems items;
  items.reserve(log.size());
  for (LogEntry& entry : log) {
    items.push_back({.key = items.size() + 1, .entry = std::move(entry)});
  }
  return items;
}

Minimizer::Minimizer(Log log, FailureTest& test, const MinimizeOptions& options)
    : test_(test), options_(options), prng_(options.seed), log_(std::move(log)) {
  test_.StopWhen(options_.out_of_time);
}

Minimizer::~Minimizer() { test_.StopWhen(nullptr); }

absl::StatusOr<Minimized> Minimizer::Run() {
  if (const size_t place = test_.fails_at().value(); place > 0 && place < log_.size()) {
    log_.resize(place);
  }
  // A successful guess avoids a run of the whole log.
  ASSIGN_OR_RETURN(const bool guessed, Guess(log_));
  if (time_is_up_ && !guessed) return Result(std::move(log_));
  if (!guessed) {
    items_ = ToItems(std::exchange(log_, {}));
    Learn(items_);
    RETURN_IF_ERROR(StartFromAll());
  }
  log_ = {};
  size_t before = 0;
  do {
    before = items_.size();
    RETURN_IF_ERROR(RemoveAll());
    if (items_.size() < before) continue;
    RETURN_IF_ERROR(Simplify());
    RETURN_IF_ERROR(RemoveAll());
  } while (items_.size() < before && !time_is_up_);
  return Result(ToLog(items_));
}

Minimized Minimizer::Result(Log log) const {
  return {.log = std::move(log), .tried = tried_, .complete = !time_is_up_};
}

bool Minimizer::TimeIsUp() {
  time_is_up_ = time_is_up_ || (options_.out_of_time && options_.out_of_time());
  return time_is_up_;
}

Log Minimizer::ToLog(const LogItems& items) const {
  Log log;
  log.reserve(items.size());
  for (const LogItem& item : items) {
    log.push_back(item.entry);
    log.back().row.sequence = engine::SequenceNumber(log.size());
  }
  return log;
}

absl::StatusOr<bool> Minimizer::Try(LogItems items) {
  if (TimeIsUp()) return false;
  ++tried_;
  const absl::StatusOr<std::optional<size_t>> found = test_.FailsAt(ToLog(items));
  if (GaveUp(found.status())) return false;
  RETURN_IF_ERROR(found.status());
  const std::optional<size_t> at = *found;
  if (at.has_value()) {
    items.resize(*at + 1);
    items_ = std::move(items);
  }
  if (options_.progress) options_.progress(items_.size(), tried_);
  return at.has_value();
}

absl::Status Minimizer::StartFromAll() {
  ASSIGN_OR_RETURN(const bool fails, Try(items_));
  if (!fails && !time_is_up_) {
    return absl::FailedPreconditionError(
        absl::StrCat("the log does not fail in this way: ", test_.failure_class()));
  }
  return time_is_up_ ? absl::OkStatus() : GuessFromAll();
}

absl::Status Minimizer::RemoveAll() {
  RETURN_IF_ERROR(RemoveGroups());
  RETURN_IF_ERROR(Remove([&] { return Stretches(); }));
  return Remove([&] {
    Units units;
    for (size_t i = 0; i + 1 < items_.size(); ++i) units.push_back({i});
    return units;
  });
}

// Stretches of equal duration: often a whole stretch does not contribute to the failure.
Minimizer::Units Minimizer::Stretches() const {
  constexpr int64_t kStretches = 32;
  const auto time_of = [](const LogItem& item) { return item.entry.row.timestamp.nanos(); };
  const int64_t begin = time_of(items_.front());
  const int64_t length = (time_of(items_.back()) - begin) / kStretches + 1;
  return Group([&](const LogItem& item) {
    return 1 + static_cast<uint64_t>((time_of(item) - begin) / length);
  });
}

absl::Status Minimizer::Remove(const std::function<Units()>& make_units) {
  if (time_is_up_) return absl::OkStatus();
  size_t count = std::max<size_t>(make_units().size() / 2, 1);
  while (!time_is_up_) {
    bool any_went = false;
    Units units = make_units();
    // Begins with the newest units, which usually matter least; the seed shifts the start.
    size_t end = units.size();
    if (options_.seed != 0 && end > 0) end -= prng_.Below(std::min(end, count));
    for (; end > 0 && !time_is_up_; end -= std::min(end, count)) {
      if (end > units.size()) continue;
      const size_t begin = end - std::min(end, count);
      const size_t length_before = items_.size();
      ASSIGN_OR_RETURN(const bool went, Try(Without(units, begin, end)));
      if (!went) continue;
      any_went = true;
      // The indices of units before `begin` may have changed.
      if (items_.size() != length_before) units = make_units();
    }
    if (any_went && count == 1) continue;
    if (count == 1) break;
    count /= 2;
  }
  return absl::OkStatus();
}

LogItems Minimizer::Without(const Units& units, size_t begin, size_t end) const {
  std::vector<bool> gone(items_.size(), false);
  for (size_t unit = begin; unit < end; ++unit) {
    for (const size_t index : units[unit]) gone[index] = true;
  }
  LogItems rest;
  rest.reserve(items_.size());
  for (size_t i = 0; i < items_.size(); ++i) {
    if (!gone[i]) rest.push_back(items_[i]);
  }
  return rest;
}

absl::Status Minimizer::Simplify() {
  LogItems same_time = items_;
  for (LogItem& item : same_time) {
    item.entry.row.timestamp = items_.front().entry.row.timestamp;
  }
  RETURN_IF_ERROR(Try(std::move(same_time)).status());
  for (size_t i = 0; i < items_.size() && !time_is_up_; ++i) RETURN_IF_ERROR(SimplifyItem(i));
  return absl::OkStatus();
}

absl::StatusOr<Minimized> Minimize(Log log, FailureTest& test, const MinimizeOptions& options) {
  return Minimizer(std::move(log), test, options).Run();
}

}  // namespace replay
