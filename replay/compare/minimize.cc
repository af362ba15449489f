#include "replay/compare/minimize.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "engine/base/prng.h"
#include "engine/base/sequence_number.h"
#include "engine/base/status_macros.h"
#include "engine/base/timestamp.h"
#include "engine/messages/command.h"
#include "engine/types/ids.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "replay/command_row.h"
#include "replay/compare/lock_step.h"
#include "replay/compare/log_items.h"
#include "replay/compare/subject.h"

namespace replay {
namespace {

using engine::Command;
using engine::SequenceNumber;

// One minimization. What is particular to an application overrides the virtual functions. `test`
// and `options` outlive it.
class Minimizer {
 public:
  Minimizer(Log log, const FailureTest& test, const MinimizeOptions& options)
      : test_(test), options_(options), prng_(options.seed), log_(std::move(log)) {}
  virtual ~Minimizer() = default;
  Minimizer(const Minimizer&) = delete;
  Minimizer& operator=(const Minimizer&) = delete;

  // Call it once. Errors: as Minimize().
  absl::StatusOr<Minimized> Run() {
    if (const size_t place = test_.fails_at.value(); place < log_.size()) log_.resize(place);
    // A successful guess avoids a run of the whole log.
    ASSIGN_OR_RETURN(const bool guessed, Guess(log_));
    if (time_is_up_ && !guessed) return Result(std::move(log_));
    if (!guessed) {
      items_.reserve(log_.size());
      for (LogEntry& entry : log_) {
        items_.push_back({.key = items_.size() + 1, .entry = std::move(entry)});
      }
      log_ = {};
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

 protected:
  // Sets of item indices that are removed together.
  using Units = std::vector<std::vector<size_t>>;

  // Tries to replace the log by a much smaller one in one step, before a run of the whole log.
  virtual absl::StatusOr<bool> Guess(const Log&) { return false; }
  // The same after the whole log was seen to fail; `items()` are all of it.
  virtual absl::Status GuessFromAll() { return absl::OkStatus(); }
  // Called with the items of the whole log.
  virtual void Learn(const LogItems&) {}
  // Removes records that belong together.
  virtual absl::Status RemoveGroups() { return absl::OkStatus(); }
  // Makes the record at index `i` simpler, without removing it.
  virtual absl::Status SimplifyItem(size_t /*i*/) { return absl::OkStatus(); }
  // Returns the log of these items, in their order, renumbered.
  virtual Log ToLog(const LogItems& items) const {
    Log log;
    log.reserve(items.size());
    for (const LogItem& item : items) {
      log.push_back(item.entry);
      log.back().row.sequence = SequenceNumber(log.size());
    }
    return log;
  }

  const LogItems& items() const { return items_; }
  Subject& healthy() const { return test_.healthy; }
  const MinimizeOptions& options() const { return options_; }
  bool time_is_up() const { return time_is_up_; }

  // If `items` fail in the same way, keeps them up to the failure.
  absl::StatusOr<bool> Try(LogItems items) {
    if (TimeIsUp()) return false;
    ++tried_;
    const Log log = ToLog(items);
    MemorySource memory(log);
    TimedSource source(memory, options_.out_of_time);
    const absl::StatusOr<std::optional<SequenceNumber>> found = test_.find(source);
    if (GaveUp(found.status())) return false;
    RETURN_IF_ERROR(found.status());
    const bool fails = found->has_value();
    if (fails) {
      items.resize((*found)->value());
      items_ = std::move(items);
    }
    if (options_.progress) options_.progress(items_.size(), tried_);
    return fails;
  }

  // Whether time ran out during a run of a log.
  bool GaveUp(const absl::Status& status) { return absl::IsDeadlineExceeded(status) && TimeIsUp(); }

  // Groups items by a number that they share; zero belongs to no group. The last item stays.
  template <typename NumberOf>
  Units Group(NumberOf number_of) const {
    std::map<uint64_t, std::vector<size_t>> groups;
    for (size_t i = 0; i + 1 < items_.size(); ++i) {
      const uint64_t number = number_of(items_[i]);
      if (number != 0) groups[number].push_back(i);
    }
    Units units;
    for (auto& [number, indices] : groups) units.push_back(std::move(indices));
    return units;
  }

  // Removes as many units as possible: first many together, finally one at a time, until no single
  // unit can be removed.
  absl::Status Remove(const std::function<Units()>& make_units) {
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

 private:
  Minimized Result(Log log) const {
    return {.log = std::move(log), .tried = tried_, .complete = !time_is_up_};
  }

  bool TimeIsUp() {
    time_is_up_ = time_is_up_ || (options_.out_of_time && options_.out_of_time());
    return time_is_up_;
  }

  absl::Status StartFromAll() {
    ASSIGN_OR_RETURN(const bool fails, Try(items_));
    if (!fails && !time_is_up_) {
      return absl::FailedPreconditionError(
          absl::StrCat("the log does not fail in this way: ", test_.failure_class));
    }
    return time_is_up_ ? absl::OkStatus() : GuessFromAll();
  }

  absl::Status RemoveAll() {
    RETURN_IF_ERROR(RemoveGroups());
    RETURN_IF_ERROR(Remove([&] { return Stretches(); }));
    return Remove([&] {
      Units units;
      for (size_t i = 0; i + 1 < items_.size(); ++i) units.push_back({i});
      return units;
    });
  }

  // Stretches of equal duration: often a whole stretch does not contribute to the failure.
  Units Stretches() const {
    constexpr int64_t kStretches = 32;
    const auto time_of = [](const LogItem& item) { return item.entry.row.timestamp.nanos(); };
    const int64_t begin = time_of(items_.front());
    const int64_t length = (time_of(items_.back()) - begin) / kStretches + 1;
    return Group([&](const LogItem& item) {
      return 1 + static_cast<uint64_t>((time_of(item) - begin) / length);
    });
  }

  LogItems Without(const Units& units, size_t begin, size_t end) const {
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

  absl::Status Simplify() {
    LogItems same_time = items_;
    for (LogItem& item : same_time) {
      item.entry.row.timestamp = items_.front().entry.row.timestamp;
    }
    RETURN_IF_ERROR(Try(std::move(same_time)).status());
    for (size_t i = 0; i < items_.size() && !time_is_up_; ++i) RETURN_IF_ERROR(SimplifyItem(i));
    return absl::OkStatus();
  }

  const FailureTest& test_;
  const MinimizeOptions& options_;
  engine::Prng prng_;
  Log log_;  // Until there are items.
  LogItems items_;
  uint64_t tried_ = 0;
  bool time_is_up_ = false;
};

// Below this size, plain reduction is cheaper than guessing.
constexpr size_t kWorthGuessing = 256;

// How many commands before the failure a guess leaves unchanged.
constexpr size_t kSmallWindows[] = {1, 8, 64, 512};
constexpr size_t kAllWindows[] = {1, 8, 64, 512, 4096, 32768, 262144};

class CommandMinimizer final : public Minimizer {
 public:
  using Minimizer::Minimizer;

 private:
  absl::StatusOr<bool> Guess(const Log& log) override { return GuessWindows(log, kSmallWindows); }

  void Learn(const LogItems& items) override { families_ = OrderFamilies(items); }

  Log ToLog(const LogItems& items) const override { return families_.ToLog(items); }

  Command CommandAt(size_t i) const { return ToCommand(items()[i].entry.row); }

  absl::Status GuessFromAll() override {
    if (items().size() <= kWorthGuessing) return absl::OkStatus();
    const engine::MarketId market = ToCommand(items().back().entry.row).market;
    LogItems of_market = items();
    std::erase_if(of_market, [&](const LogItem& item) {
      const Command command = ToCommand(item.entry.row);
      return IsAboutOrders(command.kind) && command.market != market &&
             command.market != engine::MarketId();
    });
    RETURN_IF_ERROR(Try(std::move(of_market)).status());
    return GuessWindows(ToLog(items()), kAllWindows).status();
  }

  // Large steps that often succeed: replace the commands before a window by ones that enter the
  // book directly, for one market or for all.
  absl::StatusOr<bool> GuessWindows(const Log& log, std::span<const size_t> windows) {
    if (log.size() <= kWorthGuessing) return false;
    const engine::MarketId market = ToCommand(log.back().row).market;
    near_ = absl::UnknownError("none yet");
    for (const size_t window : windows) {
      if (window * 2 > log.size()) break;
      for (const bool one_market : {true, false}) {
        const auto keep = [&](engine::MarketId id) { return !one_market || id == market; };
        ASSIGN_OR_RETURN(const bool fails,
                         GuessWindow(log, log.size() - window, windows.back(), keep));
        if (fails || time_is_up()) return fails;
      }
    }
    return false;
  }

  absl::StatusOr<bool> GuessWindow(const Log& log, size_t begin, size_t window_max,
                                   const std::function<bool(engine::MarketId)>& keep) {
    // The previous candidate may have used the healthy engine.
    const absl::Status brought = BringHealthyTo(log, begin, window_max);
    if (GaveUp(brought)) return false;
    RETURN_IF_ERROR(brought);
    ASSIGN_OR_RETURN(LogItems guess, WithSynthesisedBook(log, begin, healthy(), keep));
    OrderFamilies families = std::exchange(families_, OrderFamilies(guess));
    ASSIGN_OR_RETURN(const bool fails, Try(std::move(guess)));
    if (!fails) families_ = std::move(families);
    return fails;
  }

  // Continues from a saved state shortly before `place`, if the engine can save.
  absl::Status BringHealthyTo(const Log& log, size_t place, size_t window_max) {
    MemorySource memory(log);
    TimedSource source(memory, options().out_of_time);
    if (near_.ok()) {
      RETURN_IF_ERROR(healthy().Load(*near_));
    } else {
      const size_t early = log.size() > window_max ? log.size() - window_max : 0;
      const SequenceNumber at(std::min(early, place));
      RETURN_IF_ERROR(BringTo(source, healthy(), at));
      near_ = healthy().Save();
      if (!near_.ok()) {
        return BringTo(source, healthy(), SequenceNumber(place));
      }
    }
    return GoOn(source, healthy(), near_->sequence, SequenceNumber(place));
  }

  absl::Status RemoveGroups() override {
    const auto by = [](auto field) {
      return [field](const LogItem& item) {
        return uint64_t{(ToCommand(item.entry.row).*field).value()};
      };
    };
    RETURN_IF_ERROR(
        Remove([&] { return Group([&](const LogItem& item) { return families_.LifeOf(item); }); }));
    RETURN_IF_ERROR(Remove([&] { return Group(by(&Command::account)); }));
    return Remove([&] { return Group(by(&Command::market)); });
  }

  absl::Status SimplifyItem(size_t i) override {
    if (!IsAboutOrders(CommandAt(i).kind)) return absl::OkStatus();
    RETURN_IF_ERROR(TryChange(i, [](Command& c) { c.client_order_id = {}; }).status());
    RETURN_IF_ERROR(TryChange(i, [](Command& c) { c.flags = {}; }).status());
    RETURN_IF_ERROR(TryChange(i, [](Command& c) { c.set_group({}); }).status());
    if (i > 0) {
      const engine::Timestamp before = items()[i - 1].entry.row.timestamp;
      RETURN_IF_ERROR(TryChange(i, [&](Command& c) { c.timestamp = before; }).status());
    }
    for (const uint64_t quantity : {1, 2, 5, 10, 100}) {
      if (i >= items().size()) break;
      if (CommandAt(i).quantity.units() <= quantity) break;
      ASSIGN_OR_RETURN(const bool went, TryChange(i, [&](Command& command) {
                         command.quantity = engine::Quantity::FromUnits(quantity);
                       }));
      if (went) break;
    }
    return SimplifyPrice(i);
  }

  // Fewer different prices are easier to read.
  absl::Status SimplifyPrice(size_t i) {
    std::set<engine::Price> others;
    for (size_t j = 0; j < items().size(); ++j) {
      const Command command = CommandAt(j);
      if (j != i && IsAboutOrders(command.kind)) others.insert(command.price);
    }
    if (i >= items().size()) return absl::OkStatus();
    const engine::Price own = CommandAt(i).price;
    others.erase(engine::Price());
    if (own == engine::Price() || others.contains(own) || others.size() > 20) {
      return absl::OkStatus();
    }
    for (const engine::Price price : others) {
      ASSIGN_OR_RETURN(const bool went,
                       TryChange(i, [&](Command& command) { command.price = price; }));
      if (went) break;
    }
    return absl::OkStatus();
  }

  template <typename Change>
  absl::StatusOr<bool> TryChange(size_t i, Change change) {
    if (i >= items().size()) return false;
    LogItems changed = items();
    EditCommand(changed[i].entry.row, change);
    if (changed[i].entry.row == items()[i].entry.row) return false;
    return Try(std::move(changed));
  }

  OrderFamilies families_{{}};
  absl::StatusOr<SavedState> near_ = absl::UnknownError("none yet");
};

}  // namespace

absl::StatusOr<Minimized> Minimize(Log log, const FailureTest& test,
                                   const MinimizeOptions& options) {
  return Minimizer(std::move(log), test, options).Run();
}

absl::StatusOr<Minimized> MinimizeCommands(Log log, const FailureTest& test,
                                           const MinimizeOptions& options) {
  return CommandMinimizer(std::move(log), test, options).Run();
}

}  // namespace replay
