#include "replay/compare/later_divergences.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/base/check.h"
#include "engine/base/digest.h"
#include "engine/base/sequence_number.h"
#include "engine/messages/event_buffer.h"
#include "engine/state/resting_order.h"
#include "engine/types/ids.h"
#include "engine/types/side.h"
#include "gtest/gtest.h"
#include "journal/record.h"
#include "replay/compare/fixture_text.h"
#include "replay/compare/machine_subject.h"
#include "replay/exchange_state.h"
#include "replay/exchange_vocabulary.h"
#include "replay/log_source.h"
#include "replay/machine.h"
#include "replay/output.h"
#include "replay/semantics_version.h"
#include "replay/testing/known_bad_machine.h"

namespace replay {
namespace {

// An engine that cannot save its state, so that another one is given its book only.
class BookOnly final : public Machine, public ExchangeState {
 public:
  explicit BookOnly(OwnFault fault) : machine_({.own_fault = fault}) {}
  absl::string_view name() const override { return "book only"; }
  void WriteTo(ApplyKey key, OutputMemory& memory) override { machine_.WriteTo(key, memory); }
  std::span<const Output> Apply(ApplyKey key, const journal::Record& record) override {
    return machine_.Apply(key, record);
  }
  engine::Digest StateDigest() const override { return machine_.StateDigest(); }
  uint64_t live_order_count() const override { return machine_.live_order_count(); }
  void VisitOrders(engine::MarketId market, engine::Side side,
                   absl::FunctionRef<void(const engine::RestingOrder&)> visit) const override {
    machine_.VisitOrders(market, side, visit);
  }
  const engine::MarketDirectory& markets() const override { return machine_.markets(); }

 private:
  KnownBadMachine machine_;
};

MachineSubject Engine(OwnFault fault) {
  return MachineSubject(
      {.name = "book only", .build_id = "this", .semantics_version = kSemanticsVersion},
      [fault] { return std::make_unique<BookOnly>(fault); });
}

LaterDivergences Classify(const std::string& text, uint64_t first) {
  const absl::StatusOr<Log> log = ParseFixtureText("test", text);
  CHECK_OK(log.status());
  MemorySource source(*log);
  MachineSubject a = Engine(OwnFault::kNone);
  MachineSubject b = Engine(OwnFault::kMakerForgotten);
  absl::StatusOr<LaterDivergences> later =
      ClassifyLater(source, a, b, engine::SequenceNumber(first), ExchangeVocabulary());
  CHECK_OK(later.status());
  EXPECT_EQ(later->seed, LaterDivergences::Seed::kBook);
  EXPECT_EQ(later->stopped, "");
  return *std::move(later);
}

// Order 2 goes to the end of its queue, so the last bid sweeps orders 3, 4 and 5: three makers.
TEST(LaterDivergences, AnOrderThatWasAmendedUpIsAtTheEndOfItsQueue) {
  const LaterDivergences later = Classify(R"(
define_market id=1 symbol=ACME price_decimals=2 lot=1
ask market=ACME price=11.00 quantity=3 account=1
ask market=ACME price=11.00 quantity=1 account=1
ask market=ACME price=11.00 quantity=1 account=1
ask market=ACME price=11.00 quantity=1 account=1
amend market=ACME order=2 price=11.00 quantity=4 account=1
ask market=ACME price=10.00 quantity=1 account=1
ask market=ACME price=10.00 quantity=1 account=1
ask market=ACME price=10.00 quantity=1 account=1
bid market=ACME price=10.00 quantity=3 account=2
bid market=ACME price=11.00 quantity=3 account=2
)",
                                          10);
  ASSERT_EQ(later.independent.size(), 1u);
  EXPECT_EQ(later.independent.front().sequence, engine::SequenceNumber(11));
}

// Order 2, of a single lot, is after orders 3 and 4. So bid 10 meets two makers, and bid 12 the
// rest of order 4, order 2 and order 11: three.
TEST(LaterDivergences, AnOrderOfOneLotThatMovedToAPriceIsAtTheEndOfItsQueue) {
  const LaterDivergences later = Classify(R"(
define_market id=1 symbol=ACME price_decimals=2 lot=1
ask market=ACME price=12.00 quantity=1 account=1
ask market=ACME price=11.00 quantity=1 account=1
ask market=ACME price=11.00 quantity=5 account=1
amend market=ACME order=2 price=11.00 quantity=1 account=1
ask market=ACME price=10.00 quantity=1 account=1
ask market=ACME price=10.00 quantity=1 account=1
ask market=ACME price=10.00 quantity=1 account=1
bid market=ACME price=10.00 quantity=3 account=2
bid market=ACME price=11.00 quantity=3 account=2
ask market=ACME price=13.00 quantity=1 account=1
bid market=ACME price=13.00 quantity=5 account=2
)",
                                          9);
  ASSERT_EQ(later.independent.size(), 1u);
  EXPECT_EQ(later.independent.front().sequence, engine::SequenceNumber(12));
}

}  // namespace
}  // namespace replay
