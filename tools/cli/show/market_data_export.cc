#include "tools/cli/show/market_data_export.h"

#include <optional>
#include <span>
#include <utility>

#include "absl/status/status.h"
#include "engine/base/sequence_number.h"
#include "engine/base/status_macros.h"
#include "engine/base/timestamp.h"
#include "engine/state/resting_order.h"
#include "engine/views/order_actions.h"
#include "journal/record.h"
#include "replay/command_row.h"
#include "replay/driver.h"
#include "replay/engines.h"
#include "replay/event_outputs.h"
#include "replay/exchange_state.h"
#include "replay/market_follower.h"
#include "replay/output.h"
#include "replay/snapshot/state_source.h"
#include "tools/cli/base/progress.h"
#include "tools/cli/read/find_market.h"
#include "tools/cli/read/snapshots.h"

namespace tools {
namespace {

// The header names all markets, so their definitions are read first.
struct Contents {
  engine::Timestamp first;
  engine::Timestamp last;
  replay::MarketFollower markets;
};

absl::StatusOr<engine::Timestamp> TimeAt(engine::SequenceNumber at, journal::Reader& reader,
                                         replay::MarketFollower& markets) {
  RETURN_IF_ERROR(reader.SeekToSequence(at));
  ASSIGN_OR_RETURN(const std::optional<journal::Record> record, reader.Next());
  if (!record.has_value()) return engine::Timestamp();
  markets.Follow(*record);
  return record->timestamp();
}

absl::StatusOr<Contents> ReadContents(const OpenedJournal& opened, const SequenceRange& range,
                                      Console& console) {
  Contents contents;
  if (range.empty()) return contents;
  journal::Reader& reader = *opened.reader;
  RETURN_IF_ERROR(AddDeletedMarkets(*opened.directory, reader.info(), console, contents.markets));
  RETURN_IF_ERROR(contents.markets.FollowUntil(reader, range.last));
  ASSIGN_OR_RETURN(contents.last, TimeAt(range.last, reader, contents.markets));
  ASSIGN_OR_RETURN(contents.first, TimeAt(range.first, reader, contents.markets));
  return contents;
}

absl::StatusOr<std::optional<engine::MarketId>> ChooseMarket(
    const std::string& words, const engine::MarketDirectory& markets) {
  if (words.empty()) return std::nullopt;
  ASSIGN_OR_RETURN(const engine::MarketDefinition* const market,
                   FindMarket("--market", words, markets));
  return market->id;
}

// The orders that rest before the range.
void KnowOrders(const replay::Machine& machine, engine::OrderActions& actions,
                MarketDataRows& rows) {
  const engine::SequenceNumber at = machine.last_record().sequence;
  const engine::Timestamp time = machine.last_record().time;
  replay::ExchangeOf(machine).VisitAllOrders([&](const engine::RestingOrder& order) {
    actions.Know(order.id, order.market, order.side, order.price, order.quantity_remaining);
    rows.Know(order.id, order.market, order.side, order.price, order.quantity_remaining, at, time);
  });
}

absl::Status Replay(const OpenedJournal& opened, const SequenceRange& range, Console& console,
                    MarketDataRows& rows) {
  if (range.empty()) return absl::OkStatus();
  Progress progress(console, "export", "records", range.last.value());
  journal::Reader& reader = *opened.reader;
  const engine::SequenceNumber before = range.first - 1;
  ASSIGN_OR_RETURN(replay::StartingPoint start,
                   StartFromSnapshot(*opened.directory, reader.info(), before,
                                     replay::EngineKind::kFast, console));
  replay::Driver driver(*start.machine, start.last_applied());
  RETURN_IF_ERROR(reader.SeekToSequence(driver.last_applied().Next()));
  RETURN_IF_ERROR(driver.RunInParts(reader, before, [&](const journal::Record& record, auto) {
    progress.Update(record.sequence().value());
  }));
  engine::OrderActions actions;
  KnowOrders(*start.machine, actions, rows);
  const auto take = [&rows](const engine::OrderAction& action) { rows.Take(action); };
  RETURN_IF_ERROR(driver.RunInParts(
      reader, range.last,
      [&](const journal::Record& record, std::span<const replay::Output> outputs) {
        progress.Update(record.sequence().value());
        actions.Take(replay::ToCommand(*record.row), replay::AsEvents(outputs), take);
      }));
  actions.Finish(take);
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<uint64_t> WriteMarketData(const MarketDataExport& request,
                                         const OpenedJournal& opened, const SequenceRange& range,
                                         Console& console, MarketDataRows::Sink sink) {
  ASSIGN_OR_RETURN(const Contents contents, ReadContents(opened, range, console));
  const engine::MarketDirectory& markets = contents.markets.markets();
  ASSIGN_OR_RETURN(const std::optional<engine::MarketId> market,
                   ChooseMarket(request.market, markets));
  MarketDataRows rows(
      {.what = request.what, .format = request.format, .depth = request.depth, .market = market},
      markets, std::move(sink));
  rows.Begin(contents.first, contents.last);
  RETURN_IF_ERROR(Replay(opened, range, console, rows));
  RETURN_IF_ERROR(rows.Finish());
  return rows.row_count();
}

}  // namespace tools
