#include "replay/compare/minimize_commands.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <set>
#include <span>
#include <utility>

#include "absl/status/status.h"
#include "engine/base/sequence_number.h"
#include "engine/base/status_macros.h"
#include "engine/base/timestamp.h"
#include "engine/messages/command.h"
#include "engine/types/ids.h"
#include "engine/types/order_flags.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "replay/command_row.h"
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
    ASSIGN_OR_RETURN(LogItems guess, WithSynthesisedBook(log, begin, test().healthy(), keep));
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
      RETURN_IF_ERROR(test().healthy().Load(*near_));
    } else {
      const size_t early = log.size() > window_max ? log.size() - window_max : 0;
      const engine::SequenceNumber at(std::min(early, place));
      RETURN_IF_ERROR(BringTo(source, test().healthy(), at));
      near_ = test().healthy().Save();
      if (!near_.ok()) {
        return BringTo(source, test().healthy(), engine::SequenceNumber(place));
      }
    }
    return GoOn(source, test().healthy(), near_->sequence, engine::SequenceNumber(place));
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
    RETURN_IF_ERROR(TryField(i, [](Command& command) { command.client_order_id = {}; }));
    RETURN_IF_ERROR(TryField(i, [](Command& command) { command.flags = {}; }));
    RETURN_IF_ERROR(TryField(i, [](Command& command) { command.group = {}; }));
    if (i > 0) {
      const engine::Timestamp before = items()[i - 1].entry.row.timestamp;
      RETURN_IF_ERROR(TryField(i, [&](Command& command) { command.timestamp = before; }));
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
  absl::Status TryField(size_t i, Change change) {
    return TryChange(i, change).status();
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

absl::StatusOr<Minimized> MinimizeCommands(Log log, FailureTest& test,
                                           const MinimizeOptions& options) {
  return CommandMinimizer(std::move(log), test, options).Run();
}

}  // namespace replay
