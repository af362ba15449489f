// What a spool returns for a market against a plain selection, with buffers of any size.

#include "tools/cli/slice/market_spool.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "engine/base/check.h"
#include "engine/base/prng.h"
#include "engine/messages/command.h"
#include "gtest/gtest.h"
#include "journal/testing/memory_storage.h"
#include "replay/command_row.h"

namespace tools {
namespace {

using engine::Event;
using engine::MarketId;

// A record with its events. A regular value type.
struct Spooled {
  journal::Row row;
  std::vector<std::byte> attachment;
  std::vector<Event> events;

  friend bool operator==(const Spooled&, const Spooled&) = default;
};

engine::MarketDirectory Markets(uint32_t count) {
  engine::MarketDirectory markets;
  for (uint32_t id = 1; id <= count; ++id) {
    engine::MarketDefinition market;
    market.id = MarketId(id);
    market.symbol = absl::StrCat("M", id);
    CHECK(markets.Add(std::move(market)));
  }
  return markets;
}

// A record of `market`, or of none, with events of the markets up to `market_count`, which may be
// one more than are known.
Spooled RandomRecord(engine::Prng& prng, uint64_t sequence, uint32_t market_count) {
  const auto any = [&] { return MarketId(static_cast<uint32_t>(prng.Below(market_count + 2))); };
  engine::Command command;
  command.sequence = engine::SequenceNumber(sequence);
  command.market = any();
  Spooled record{.row = replay::ToRow(command), .attachment = {}, .events = {}};
  if (prng.Chance(20)) record.attachment.resize(prng.Below(30), std::byte{7});
  for (uint32_t index = 0; index < prng.Below(6); ++index) {
    Event event;
    event.sequence = command.sequence;
    event.index = index;
    event.market = prng.Chance(60) ? command.market : any();
    record.events.push_back(event);
  }
  return record;
}

// What the spool is to return of `log` for `market`.
std::vector<Spooled> Selected(const std::vector<Spooled>& log, MarketId market) {
  std::vector<Spooled> selected;
  for (Spooled record : log) {
    const MarketId of = replay::ToCommand(record.row).market;
    const bool is_of_it = of == market || of == MarketId();
    std::erase_if(record.events, [&](const Event& event) {
      return event.market == MarketId() ? !is_of_it : event.market != market;
    });
    if (!is_of_it) record.attachment.clear();
    if (is_of_it || !record.events.empty()) selected.push_back(record);
  }
  return selected;
}

std::vector<Spooled> Visited(MarketSpool& spool, MarketId market) {
  std::vector<Spooled> visited;
  CHECK_OK(spool.Visit(market, [&](const journal::Record& record, std::span<const Event> events) {
    visited.push_back({.row = *record.row,
                       .attachment = {record.attachment.begin(), record.attachment.end()},
                       .events = {events.begin(), events.end()}});
    return absl::OkStatus();
  }));
  return visited;
}

TEST(MarketSpoolTest, ReturnsWhatConcernsAMarketInOrder) {
  constexpr uint32_t kMarkets = 5;
  for (const size_t buffer_bytes : {0, 1000, 20'000, 1 << 30}) {
    engine::Prng prng(buffer_bytes);
    journal::MemoryDirectory directory;
    MarketSpool spool(directory, Markets(kMarkets), buffer_bytes);
    std::vector<Spooled> log;
    for (uint64_t sequence = 1; sequence <= 1000; ++sequence) {
      const Spooled& record = log.emplace_back(RandomRecord(prng, sequence, kMarkets));
      CHECK_OK(spool.Add({.row = &record.row, .attachment = record.attachment}, record.events));
    }
    for (uint32_t id = 1; id <= kMarkets; ++id) {
      EXPECT_EQ(Visited(spool, MarketId(id)), Selected(log, MarketId(id)));
    }
    EXPECT_EQ(directory.List()->size(), 0u) << "the file has no name";
  }
}

// Each record of a market is visited once in all, so that more markets do not mean more work.
TEST(MarketSpoolTest, VisitsEachRecordOnceAtAnyNumberOfMarkets) {
  constexpr uint64_t kRecords = 2000;
  for (const uint32_t market_count : {1, 10, 100, 1000}) {
    journal::MemoryDirectory directory;
    MarketSpool spool(directory, Markets(market_count), 50'000);
    for (uint64_t sequence = 1; sequence <= kRecords; ++sequence) {
      engine::Command command;
      command.sequence = engine::SequenceNumber(sequence);
      command.market = MarketId(static_cast<uint32_t>(1 + sequence % market_count));
      const journal::Row row = replay::ToRow(command);
      CHECK_OK(spool.Add({.row = &row}, {}));
    }
    size_t visited = 0;
    for (uint32_t id = 1; id <= market_count; ++id) visited += Visited(spool, MarketId(id)).size();
    EXPECT_EQ(visited, kRecords);
  }
}

TEST(MarketSpoolTest, AnErrorOfTheVisitorEndsTheVisit) {
  journal::MemoryDirectory directory;
  MarketSpool spool(directory, Markets(1));
  engine::Command command;
  command.market = MarketId(1);
  for (uint64_t sequence = 1; sequence <= 3; ++sequence) {
    command.sequence = engine::SequenceNumber(sequence);
    const journal::Row row = replay::ToRow(command);
    CHECK_OK(spool.Add({.row = &row}, {}));
  }
  int calls = 0;
  const absl::Status status = spool.Visit(MarketId(1), [&](const auto&, auto) {
    ++calls;
    return absl::DataLossError("full");
  });
  EXPECT_EQ(status, absl::DataLossError("full"));
  EXPECT_EQ(calls, 1);
}

}  // namespace
}  // namespace tools
