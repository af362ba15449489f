#include "replay/compare/minimize.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "engine/base/prng.h"
#include "engine/base/status_macros.h"
#include "engine/messages/command.h"
#include "engine/types/ids.h"
#include "engine/types/order_flags.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "replay/compare/lock_step.h"
#include "replay/compare/log_items.h"
#include "replay/compare/subject.h"
#include "replay/compare/timed_source.h"

namespace replay {
namespace {

using engine::Command;

// Below this size, plain reduction is cheaper than guessing.
constexpr size_t kWorthGuessing = 256;

// How many commands before the failure a guess leaves unchanged.
constexpr size_t kSmallWindows[] = {1, 8, 64, 512};
constexpr size_t kAllWindows[] = {1, 8, 64, 512, 4096, 32768, 262144};

// Sets of item indices that are removed together.
using Units = std::vector<std::vector<size_t>>;

class Minimizer {
 public:
  Minimizer(Log log, FailureTest& test, const MinimizeOptions& options)
      : test_(test), options_(options), prng_(options.seed), log_(std::move(log)), families_({}) {
    test_.StopWhen(options_.out_of_time);
  }
  ~Minimizer() { test_.StopWhen(nullptr); }

  absl::StatusOr<Minimized> Run() {
    if (const size_t place = test_.fails_at().value(); place > 0 && place < log_.size()) {
      log_.resize(place);
    }
    // A successful guess avoids a run of the whole log.
    ASSIGN_OR_RETURN(const bool guessed, GuessWindows(log_, kSmallWindows));
    if (time_is_up_ && !guessed) return Result(std::move(log_));
    if (!guessed) {
      items_ = ToItems(std::exchange(log_, {}));
      families_ = OrderFamilies(items_);
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
    return Result(families_.ToLog(items_));
  }

 private:
  Minimized Result(Log log) const {
    return {.log = std::move(log), .tried = tried_, .complete = !time_is_up_};
  }

  bool TimeIsUp() {
    time_is_up_ = time_is_up_ || (options_.out_of_time && options_.out_of_time());
    return time_is_up_;
  }

  // Whether time ran out during a run of a log.
  bool GaveUp(const absl::Status& status) { return absl::IsDeadlineExceeded(status) && TimeIsUp(); }

  // If `items` fail in the same way, keeps them up to the failure.
  absl::StatusOr<bool> Try(LogItems items) {
    if (TimeIsUp()) return false;
    ++tried_;
    const absl::StatusOr<std::optional<size_t>> found = test_.FailsAt(families_.ToLog(items));
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

  absl::Status StartFromAll() {
    ASSIGN_OR_RETURN(const bool fails, Try(items_));
    if (!fails && !time_is_up_) {
      return absl::FailedPreconditionError(
          absl::StrCat("the log does not fail in this way: ", test_.failure_class()));
    }
    if (time_is_up_ || items_.size() <= kWorthGuessing) return absl::OkStatus();
    const engine::MarketId market = items_.back().entry.command.market;
    LogItems of_market = items_;
    std::erase_if(of_market, [&](const LogItem& item) {
      const Command& command = item.entry.command;
      return IsAboutOrders(command.kind) && command.market != market &&
             command.market != engine::MarketId();
    });
    RETURN_IF_ERROR(Try(std::move(of_market)).status());
    return GuessWindows(families_.ToLog(items_), kAllWindows).status();
  }

  // Large steps that often succeed: replace the commands before a window by ones that enter the
  // book directly, for one market or for all.
  absl::StatusOr<bool> GuessWindows(const Log& log, std::span<const size_t> windows) {
    if (log.size() <= kWorthGuessing) return false;
    const engine::MarketId market = log.back().command.market;
    near_ = absl::UnknownError("none yet");
    for (const size_t window : windows) {
      if (window * 2 > log.size()) break;
      for (const bool one_market : {true, false}) {
        const auto keep = [&](engine::MarketId id) { return !one_market || id == market; };
        ASSIGN_OR_RETURN(const bool fails,
                         GuessWindow(log, log.size() - window, windows.back(), keep));
        if (fails || time_is_up_) return fails;
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
    ASSIGN_OR_RETURN(LogItems guess, WithSynthesisedBook(log, begin, test_.healthy(), keep));
    OrderFamilies families = std::exchange(families_, OrderFamilies(guess));
    ASSIGN_OR_RETURN(const bool fails, Try(std::move(guess)));
    if (!fails) families_ = std::move(families);
    return fails;
  }

  // Continues from a saved state shortly before `place`, if the engine can save.
  absl::Status BringHealthyTo(const Log& log, size_t place, size_t window_max) {
    MemorySource memory(log);
    TimedSource source(memory, options_.out_of_time);
    if (near_.ok()) {
      RETURN_IF_ERROR(test_.healthy().Load(*near_));
    } else {
      const size_t early = log.size() > window_max ? log.size() - window_max : 0;
      const engine::SequenceNumber at(std::min(early, place));
      RETURN_IF_ERROR(BringTo(source, test_.healthy(), at));
      near_ = test_.healthy().Save();
      if (!near_.ok()) {
        return BringTo(source, test_.healthy(), engine::SequenceNumber(place));
      }
    }
    return GoOn(source, test_.healthy(), near_->sequence, engine::SequenceNumber(place));
  }

  absl::Status RemoveAll() {
    const auto by = [](auto field) {
      return [field](const LogItem& item) { return uint64_t{(item.entry.command.*field).value()}; };
    };
    RETURN_IF_ERROR(
        Remove([&] { return Group([&](const LogItem& item) { return families_.LifeOf(item); }); }));
    RETURN_IF_ERROR(Remove([&] { return Group(by(&Command::account)); }));
    RETURN_IF_ERROR(Remove([&] { return Group(by(&Command::market)); }));
    RETURN_IF_ERROR(Remove([&] { return Stretches(); }));
    return Remove([&] {
      Units units;
      for (size_t i = 0; i + 1 < items_.size(); ++i) units.push_back({i});
      return units;
    });
  }

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

  // Stretches of equal duration: often a whole stretch does not contribute to the failure.
  Units Stretches() const {
    constexpr int64_t kStretches = 32;
    const auto time_of = [](const LogItem& item) { return item.entry.command.timestamp.nanos(); };
    const int64_t begin = time_of(items_.front());
    const int64_t length = (time_of(items_.back()) - begin) / kStretches + 1;
    return Group([&](const LogItem& item) {
      return 1 + static_cast<uint64_t>((time_of(item) - begin) / length);
    });
  }

  // Removes as many units as possible: first many together, finally one at a time, until no single
  // unit can be removed.
  template <typename MakeUnits>
  absl::Status Remove(MakeUnits make_units) {
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
      item.entry.command.timestamp = items_.front().entry.command.timestamp;
    }
    RETURN_IF_ERROR(Try(std::move(same_time)).status());
    for (size_t i = 0; i < items_.size() && !time_is_up_; ++i) RETURN_IF_ERROR(SimplifyItem(i));
    return absl::OkStatus();
  }

  absl::Status SimplifyItem(size_t i) {
    if (!IsAboutOrders(items_[i].entry.command.kind)) return absl::OkStatus();
    RETURN_IF_ERROR(TryField(i, [](Command& command) { command.client_order_id = {}; }));
    RETURN_IF_ERROR(TryField(i, [](Command& command) { command.flags = {}; }));
    RETURN_IF_ERROR(TryField(i, [](Command& command) { command.group = {}; }));
    if (i > 0) {
      const engine::Timestamp before = items_[i - 1].entry.command.timestamp;
      RETURN_IF_ERROR(TryField(i, [&](Command& command) { command.timestamp = before; }));
    }
    for (const uint64_t quantity : {1, 2, 5, 10, 100}) {
      if (i >= items_.size()) break;
      if (items_[i].entry.command.quantity.units() <= quantity) break;
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
    for (size_t j = 0; j < items_.size(); ++j) {
      const Command& command = items_[j].entry.command;
      if (j != i && IsAboutOrders(command.kind)) others.insert(command.price);
    }
    if (i >= items_.size()) return absl::OkStatus();
    const engine::Price own = items_[i].entry.command.price;
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
  absl::Status TryField(size_t i, Change change) {
    return TryChange(i, change).status();
  }

  template <typename Change>
  absl::StatusOr<bool> TryChange(size_t i, Change change) {
    if (i >= items_.size()) return false;
    LogItems changed = items_;
    Command& command = changed[i].entry.command;
    change(command);
    if (command == items_[i].entry.command) return false;
    return Try(std::move(changed));
  }

  FailureTest& test_;
  const MinimizeOptions options_;
  engine::Prng prng_;
  Log log_;  // Until there are items.
  LogItems items_;
  OrderFamilies families_;
  absl::StatusOr<SavedState> near_ = absl::UnknownError("none yet");
  uint64_t tried_ = 0;
  bool time_is_up_ = false;
};

}  // namespace

absl::StatusOr<Minimized> Minimize(Log log, FailureTest& test, const MinimizeOptions& options) {
  return Minimizer(std::move(log), test, options).Run();
}

}  // namespace replay
