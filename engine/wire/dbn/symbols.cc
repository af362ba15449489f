#include "engine/wire/dbn/symbols.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/integer_text.h"
#include "engine/base/status_macros.h"

namespace engine {
namespace {

constexpr uint32_t kDateMax = 2262'01'01;  // Of a Timestamp.

struct Entry {
  uint32_t instrument = 0;
  DbnSymbols::Period period;
};

// The beginning of the day 20200130.
absl::StatusOr<Timestamp> StartOf(uint32_t date) {
  if (date >= kDateMax) return Timestamp::Max();
  const auto time = Timestamp::Parse(absl::StrCat(
      absl::Dec(date / 10'000, absl::kZeroPad4), "-", absl::Dec(date / 100 % 100, absl::kZeroPad2),
      "-", absl::Dec(date % 100, absl::kZeroPad2), "T00:00:00Z"));
  if (time.ok()) return time;
  return absl::InvalidArgumentError(
      absl::StrCat("metadata: the date ", date, " of a symbol mapping is not a day"));
}

// Mappings of other kinds than between symbols and instrument ids name no instrument.
absl::StatusOr<std::vector<Entry>> EntriesOf(const DbnMetadata& metadata) {
  const bool from_ids = metadata.symbols_in == kDbnInstrumentIds;
  std::vector<Entry> entries;
  for (const DbnMapping& mapping : metadata.mappings) {
    for (const DbnMapping::Interval& interval : mapping.intervals) {
      Entry entry;
      ASSIGN_OR_RETURN(entry.period.from, StartOf(interval.start_date));
      ASSIGN_OR_RETURN(entry.period.to, StartOf(interval.end_date));
      entry.period.symbol = from_ids ? interval.symbol : mapping.symbol;
      const std::string& number = from_ids ? mapping.symbol : interval.symbol;
      if (entry.period.symbol.empty() || entry.period.from >= entry.period.to) continue;
      if (ParseInteger(number, entry.instrument)) entries.push_back(std::move(entry));
    }
  }
  return entries;
}

// Symbols that two instruments have on one day. Sorts `entries` by symbol.
absl::flat_hash_set<std::string> SharedSymbols(std::vector<Entry>& entries) {
  std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return std::tie(a.period.symbol, a.period.from) < std::tie(b.period.symbol, b.period.from);
  });
  absl::flat_hash_set<std::string> shared;
  const Entry* last = nullptr;  // The one that ends last, of its symbol.
  for (const Entry& entry : entries) {
    if (last != nullptr && last->period.symbol == entry.period.symbol) {
      const bool overlaps = entry.period.from < last->period.to;
      if (overlaps && entry.instrument != last->instrument) shared.insert(entry.period.symbol);
      if (entry.period.to <= last->period.to) continue;
    }
    last = &entry;
  }
  return shared;
}

}  // namespace

absl::StatusOr<DbnSymbols> DbnSymbols::Of(const DbnMetadata& metadata) {
  ASSIGN_OR_RETURN(std::vector<Entry> entries, EntriesOf(metadata));
  const absl::flat_hash_set<std::string> shared = SharedSymbols(entries);
  std::stable_sort(entries.begin(), entries.end(),
                   [](const Entry& a, const Entry& b) { return a.period.from < b.period.from; });
  DbnSymbols symbols;
  for (Entry& entry : entries) {
    if (shared.contains(entry.period.symbol)) continue;
    std::vector<Period>& periods = symbols.periods_[entry.instrument];
    const bool overlaps = !periods.empty() && entry.period.from < periods.back().to;
    if (!overlaps) periods.push_back(std::move(entry.period));
  }
  return symbols;
}

DbnSymbols::Period DbnSymbols::Find(uint32_t instrument, Timestamp time) const {
  Period unnamed;
  const auto found = periods_.find(instrument);
  if (found == periods_.end()) return unnamed;
  const std::vector<Period>& periods = found->second;
  const auto after =
      std::upper_bound(periods.begin(), periods.end(), time,
                       [](Timestamp at, const Period& period) { return at < period.from; });
  if (after != periods.end()) unnamed.to = after->from;
  if (after == periods.begin()) return unnamed;
  if (std::prev(after)->Contains(time)) return *std::prev(after);
  unnamed.from = std::prev(after)->to;
  return unnamed;
}

}  // namespace engine
