#include "replay/compare/later_divergences.h"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "engine/messages/command.h"
#include "engine/messages/market_directory.h"
#include "engine/state/resting_order.h"
#include "engine/types/market_definition.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "journal/reader.h"
#include "journal/record.h"
#include "replay/command_row.h"
#include "replay/compare/failure.h"
#include "replay/compare/log_items.h"
#include "replay/exchange_vocabulary.h"
#include "replay/output.h"

namespace replay {
namespace {

using engine::Command;
using engine::CommandKind;
using engine::RestingOrder;
using engine::SequenceNumber;

// Called with each record whose outputs differ; returns false to stop.
using Seen = std::function<bool(Divergence)>;

// Applies the rest of the log to both. REQUIRES: both stand after `after`.
absl::Status Compare(LogSource& source, Subject& a, Subject& b, SequenceNumber after,
                     const Seen& seen, const LaterOptions& options) {
  RETURN_IF_ERROR(source.Seek(after.Next()));
  while (true) {
    ASSIGN_OR_RETURN(const journal::Batch run, source.NextRun());
    if (run.empty()) return absl::OkStatus();
    ASSIGN_OR_RETURN(const Answer answer_a, Put(a, run, {}));
    ASSIGN_OR_RETURN(const Answer answer_b, Put(b, run, {}));
    if (options.progress) options.progress(run.rows.back().sequence);
    if (answer_a.outputs == answer_b.outputs) continue;
    ASSIGN_OR_RETURN(std::span<const Output> outputs_a, a.Outputs());
    ASSIGN_OR_RETURN(std::span<const Output> outputs_b, b.Outputs());
    for (const journal::Row& row : run.rows) {
      const auto of_a = TakeOutputsOf(row.sequence, outputs_a);
      const auto of_b = TakeOutputsOf(row.sequence, outputs_b);
      if (std::ranges::equal(of_a, of_b)) continue;
      Divergence divergence;
      divergence.entry.row = row;
      divergence.a.outputs.assign(of_a.begin(), of_a.end());
      divergence.b.outputs.assign(of_b.begin(), of_b.end());
      if (!seen(std::move(divergence))) return absl::OkStatus();
    }
  }
}

// Reduces the quantity of a new order by one lot or, if that is not allowed, makes its price one
// tick worse. An amend back to the old terms then loses priority. Returns false if neither is
// allowed.
bool EnterSmallerOrWorse(const engine::MarketDefinition& market, Command& entering) {
  const engine::Quantity least = std::max(market.lot, market.quantity_min);
  if (entering.quantity >= least + market.lot) {
    entering.quantity = entering.quantity - market.lot;
    return true;
  }
  const int64_t tick = market.TickAt(entering.price).units();
  const engine::Price worse = engine::Price::FromUnits(
      entering.price.units() + (entering.side == engine::Side::kAsk ? tick : -tick));
  if (worse < market.price_min || worse > market.price_max ||
      market.TickAt(worse).units() != tick) {
    return false;
  }
  entering.price = worse;
  return true;
}

// Rewrites the first `length` commands of `log`, which `subject` has applied, so that they build
// its book directly.
absl::Status LeadToBook(Log& log, size_t length, Subject& subject) {
  engine::MarketDirectory markets;
  for (size_t i = 0; i < length; ++i) {
    FollowMarkets(log[i].record(), markets);
    journal::Row& row = log[i].row;
    if (!IsAboutOrders(ToCommand(row).kind)) continue;
    Command nothing;
    nothing.sequence = row.sequence;
    nothing.timestamp = row.timestamp;
    nothing.kind = CommandKind::kAdvanceTime;
    row = ToRow(nothing);
  }
  const auto put = [&log](SequenceNumber at, Command command) {
    journal::Row& own = log[at.value() - 1].row;
    command.sequence = own.sequence;
    command.timestamp = own.timestamp;
    own = ToRow(command);
  };
  for (const auto& [market, definition] : markets.all()) {
    for (const engine::Side side : {engine::Side::kBid, engine::Side::kAsk}) {
      ASSIGN_OR_RETURN(const std::vector<RestingOrder> orders, subject.Orders(market, side));
      for (const RestingOrder& order : orders) {
        Command entering = EnteringCommand(order);
        const bool is_amended =
            order.priority.value() != order.id.value() && EnterSmallerOrWorse(definition, entering);
        put(SequenceNumber(order.id.value()), entering);
        if (!is_amended) continue;
        Command amend = EnteringCommand(order);
        amend.kind = CommandKind::kAmend;
        amend.order_id = order.id;
        put(order.priority, amend);
      }
    }
  }
  return absl::OkStatus();
}

class Classifier {
 public:
  Classifier(LogSource& source, Subject& a, Subject& b, const Vocabulary& vocabulary,
             const LaterOptions& options)
      : source_(source), a_(a), b_(b), vocabulary_(vocabulary), options_(options) {}

  absl::StatusOr<LaterDivergences> Run(SequenceNumber first) {
    std::vector<SequenceNumber> all;
    absl::Status status = FindAll(first, all);
    if (status.ok() && !all.empty()) status = FindIndependent(first);
    if (absl::IsAborted(status)) {
      later_.stopped = absl::StrCat("an engine ends later on: ", status.message());
      return std::move(later_);
    }
    RETURN_IF_ERROR(status);
    later_.consequences = all.size();
    for (const LaterDivergences::Independent& one : later_.independent) {
      if (std::ranges::binary_search(all, one.sequence)) --later_.consequences;
    }
    return std::move(later_);
  }

 private:
  absl::Status FindAll(SequenceNumber first, std::vector<SequenceNumber>& all) {
    RETURN_IF_ERROR(BringTo(source_, a_, first, options_.states));
    state_ = a_.Save();
    RETURN_IF_ERROR(BringTo(source_, b_, first, options_.states));
    const Seen seen = [&all](const Divergence& divergence) {
      all.push_back(divergence.sequence());
      return true;
    };
    return Compare(source_, a_, b_, first, seen, options_);
  }

  absl::Status FindIndependent(SequenceNumber first) {
    absl::Status seeded = state_.status();
    if (seeded.ok()) seeded = b_.Load(*state_);
    if (absl::IsAborted(seeded)) return seeded;
    return seeded.ok() ? ByState(first) : ByBook(first);
  }

  // Returns true when enough have been found.
  bool Add(const Divergence& divergence) {
    later_.independent.push_back({divergence.sequence(), FailureClass(divergence, vocabulary_)});
    if (later_.independent.size() < options_.independent_max) return false;
    later_.stopped = "there may be more";
    return true;
  }

  absl::Status ByState(SequenceNumber seed_at) {
    later_.seed = LaterDivergences::Seed::kState;
    while (true) {
      RETURN_IF_ERROR(a_.Load(*state_));
      RETURN_IF_ERROR(b_.Load(*state_));
      std::optional<Divergence> next;
      const Seen seen = [&next](Divergence divergence) {
        next = std::move(divergence);
        return false;
      };
      RETURN_IF_ERROR(Compare(source_, a_, b_, seed_at, seen, options_));
      if (!next.has_value() || Add(*next)) return absl::OkStatus();
      RETURN_IF_ERROR(a_.Load(*state_));
      RETURN_IF_ERROR(GoOn(source_, a_, seed_at, next->sequence()));
      seed_at = next->sequence();
      state_ = a_.Save();
      RETURN_IF_ERROR(state_.status());
    }
  }

  absl::Status ByBook(SequenceNumber seed_at) {
    later_.seed = LaterDivergences::Seed::kBook;
    ASSIGN_OR_RETURN(const Log original, LoadLog(source_, source_.last()));
    while (true) {
      Log reseeded = original;
      RETURN_IF_ERROR(BringTo(source_, a_, seed_at));
      RETURN_IF_ERROR(LeadToBook(reseeded, seed_at.value(), a_));
      MemorySource again(reseeded);
      ASSIGN_OR_RETURN(const std::optional<Divergence> next,
                       FindFirstDivergence(again, a_, b_, {.compare_state = false}));
      if (!next.has_value()) return absl::OkStatus();
      if (next->sequence() <= seed_at) {
        later_.stopped = absl::StrCat("B cannot be led to A's book after @", seed_at.value(),
                                      ": it differs on the way, at @", next->sequence().value());
        return absl::OkStatus();
      }
      if (Add(*next)) return absl::OkStatus();
      seed_at = next->sequence();
    }
  }

  LogSource& source_;
  Subject& a_;
  Subject& b_;
  const Vocabulary& vocabulary_;
  const LaterOptions options_;
  absl::StatusOr<SavedState> state_ = absl::UnknownError("none yet");
  LaterDivergences later_;
};

}  // namespace

absl::StatusOr<LaterDivergences> ClassifyLater(LogSource& source, Subject& a, Subject& b,
                                               SequenceNumber first, const Vocabulary& vocabulary,
                                               const LaterOptions& options) {
  return Classifier(source, a, b, vocabulary, options).Run(first);
}

}  // namespace replay
