#include "replay/compare/minimize.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
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

namespace replay {
namespace {

using engine::Command;

// Below this, trying is cheaper than guessing.
constexpr size_t kWorthGuessing = 256;

// Sets of indices into the items that go together.
using Units = std::vector<std::vector<size_t>>;

class Minimizer {
 public:
  Minimizer(Log log, FailureTest& test, const MinimizeOptions& options)
      : test_(test),
        options_(options),
        prng_(options.seed),
        items_(ToItems(std::move(log))),
        families_(items_) {}

  absl::StatusOr<Minimized> Run() {
    ASSIGN_OR_RETURN(const bool fails, Try(items_));
    if (!fails) {
      return absl::FailedPreconditionError(
          absl::StrCat("the log does not fail in this way: ", test_.failure_class()));
    }
    RETURN_IF_ERROR(Guess());
    size_t before = 0;
    do {
      before = items_.size();
      RETURN_IF_ERROR(RemoveAll());
      if (items_.size() < before) continue;
      RETURN_IF_ERROR(Simplify());
      RETURN_IF_ERROR(RemoveAll());
    } while (items_.size() < before && !time_is_up_);
    return Minimized{.log = families_.ToLog(items_), .tried = tried_, .complete = !time_is_up_};
  }

 private:
  // Takes over `items`, as far as the failure, if they fail in the same way.
  absl::StatusOr<bool> Try(LogItems items) {
    if (time_is_up_ || (options_.out_of_time && options_.out_of_time())) {
      time_is_up_ = true;
      return false;
    }
    ++tried_;
    ASSIGN_OR_RETURN(const std::optional<size_t> at, test_.FailsAt(families_.ToLog(items)));
    if (at.has_value()) {
      items.resize(*at + 1);
      items_ = std::move(items);
    }
    if (options_.progress) options_.progress(items_.size(), tried_);
    return at.has_value();
  }

  // Big steps that often succeed: one market, and the book as it was shortly before the failure.
  absl::Status Guess() {
    if (items_.size() <= kWorthGuessing) return absl::OkStatus();
    const engine::MarketId market = items_.back().entry.command.market;
    LogItems of_market = items_;
    std::erase_if(of_market, [&](const LogItem& item) {
      const Command& command = item.entry.command;
      return IsAboutOrders(command.kind) && command.market != market &&
             command.market != engine::MarketId();
    });
    RETURN_IF_ERROR(Try(std::move(of_market)).status());
    for (const size_t window : {1, 8, 64, 512, 4096, 32768, 262144}) {
      if (window * 2 > items_.size()) break;
      for (const bool one_market : {true, false}) {
        ASSIGN_OR_RETURN(const bool small,
                         GuessWindow(window, one_market ? market : engine::MarketId()));
        if (small) return absl::OkStatus();
      }
    }
    return absl::OkStatus();
  }

  absl::StatusOr<bool> GuessWindow(size_t window, engine::MarketId only) {
    const size_t begin = items_.size() - window;
    const Log log = families_.ToLog(items_);
    MemorySource source(log);
    RETURN_IF_ERROR(BringTo(source, test_.healthy(), engine::SequenceNumber(begin)));
    // The book knows orders by their numbers in `log`.
    const LogItems renumbered = ToItems(log);
    const auto keep = [&](engine::MarketId market) {
      return only == engine::MarketId() || market == only;
    };
    ASSIGN_OR_RETURN(LogItems guess, WithSynthesisedBook(renumbered, begin, test_.healthy(), keep));
    const OrderFamilies families = std::exchange(families_, OrderFamilies(guess));
    ASSIGN_OR_RETURN(const bool fails, Try(std::move(guess)));
    if (!fails) families_ = families;
    return fails;
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

  // By a number that items have in common; zero is none. The last item stays.
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

  // Of equal length in time: what happened in a pause of the failure often matters not.
  Units Stretches() const {
    constexpr int64_t kStretches = 32;
    const auto time_of = [](const LogItem& item) { return item.entry.command.timestamp.nanos(); };
    const int64_t begin = time_of(items_.front());
    const int64_t length = (time_of(items_.back()) - begin) / kStretches + 1;
    return Group([&](const LogItem& item) {
      return 1 + static_cast<uint64_t>((time_of(item) - begin) / length);
    });
  }

  // Leaves out as many units as it can: first many at once, at last one at a time, and again until
  // no single one can go.
  template <typename MakeUnits>
  absl::Status Remove(MakeUnits make_units) {
    size_t count = std::max<size_t>(make_units().size() / 2, 1);
    while (!time_is_up_) {
      bool any_went = false;
      Units units = make_units();
      // The seed decides where to begin; the newest mostly matter least.
      size_t end = units.size();
      if (options_.seed != 0 && end > 0) end -= prng_.Below(std::min(end, count));
      for (; end > 0 && !time_is_up_; end -= std::min(end, count)) {
        if (end > units.size()) continue;
        const size_t begin = end - std::min(end, count);
        const size_t length_before = items_.size();
        ASSIGN_OR_RETURN(const bool went, Try(Without(units, begin, end)));
        if (!went) continue;
        any_went = true;
        // The indices of units before `begin` may have moved.
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
    for (size_t i = 0; i < items_.size(); ++i) RETURN_IF_ERROR(SimplifyItem(i));
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
  LogItems items_;
  OrderFamilies families_;
  uint64_t tried_ = 0;
  bool time_is_up_ = false;
};

}  // namespace

absl::StatusOr<Minimized> Minimize(Log log, FailureTest& test, const MinimizeOptions& options) {
  return Minimizer(std::move(log), test, options).Run();
}

}  // namespace replay
