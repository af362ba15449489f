#include "engine/views/venue_memory.h"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/messages/account_codecs.h"
#include "engine/messages/note_codec.h"
#include "engine/messages/order_note.h"
#include "engine/types/fee_schedule.h"
#include "engine/types/money.h"
#include "engine/types/quantity.h"
#include "engine/views/login_setting.h"
#include "gtest/gtest.h"
#include "rapidcheck/gtest.h"

namespace engine {
namespace {

using Parts = std::vector<std::vector<std::byte>>;

Parts PartsOf(const VenueMemory& memory) {
  Parts parts;
  EXPECT_TRUE(memory
                  .Save([&](Bytes part) {
                    parts.emplace_back(part.begin(), part.end());
                    return absl::OkStatus();
                  })
                  .ok());
  return parts;
}

absl::Status LoadInto(const Parts& parts, VenueMemory& memory) {
  size_t next = 0;
  return memory.Load([&]() -> absl::StatusOr<std::optional<Bytes>> {
    if (next == parts.size()) return std::nullopt;
    return parts[next++];
  });
}

// A command that the exchange answers with one event of that kind.
void Apply(VenueMemory& memory, CommandKind command_kind, EventKind kind, uint32_t account,
           uint64_t client_id = 0, uint32_t market = 0, Bytes attachment = {}) {
  Command command;
  command.kind = command_kind;
  command.account = AccountId(account);
  command.market = MarketId(market);
  command.client_order_id = ClientOrderId(client_id);
  Event event;
  event.kind = kind;
  event.account = command.account;
  event.market = command.market;
  memory.OnApplied(command, attachment, {&event, 1});
}

void Order(VenueMemory& memory, uint32_t account, uint64_t client_id) {
  Apply(memory, CommandKind::kNewOrder, EventKind::kAccepted, account, client_id);
}

void OrderWithText(VenueMemory& memory, uint32_t account, absl::string_view text) {
  Apply(memory, CommandKind::kNewOrder, EventKind::kAccepted, account, 0, 0, EncodeOrderNote(text));
}

void AboutGroup(VenueMemory& memory, CommandKind kind, EventKind event_kind, uint32_t account,
                uint32_t group) {
  Command command;
  command.kind = kind;
  command.account = AccountId(account);
  command.set_group(GroupId(group));
  Event event;
  event.kind = event_kind;
  memory.OnApplied(command, {}, {&event, 1});
}

void DefineGroup(VenueMemory& memory, uint32_t account, uint32_t group) {
  AboutGroup(memory, CommandKind::kDefineGroup, EventKind::kGroupDefined, account, group);
}

void DeleteGroup(VenueMemory& memory, uint32_t account, uint32_t group) {
  AboutGroup(memory, CommandKind::kDeleteGroup, EventKind::kGroupDeleted, account, group);
}

void SetPositionLimit(VenueMemory& memory, uint32_t account, uint32_t market, uint64_t units) {
  Command command;
  command.kind = CommandKind::kSetPositionLimit;
  command.account = AccountId(account);
  command.market = MarketId(market);
  command.quantity = Quantity::FromUnits(units);
  Event event;
  event.kind = EventKind::kPositionLimitSet;
  event.quantity = command.quantity;
  memory.OnApplied(command, {}, {&event, 1});
}

void SetCancelsAtEnd(VenueMemory& memory, const std::string& login, bool cancels_at_end) {
  const LoginSetting setting = {.login = login, .cancels_at_end = cancels_at_end};
  Apply(memory, CommandKind::kNote, EventKind::kNoted, 0, 0, 0, EncodeNote(NoteOf(setting)));
}

void SetFees(VenueMemory& memory, uint32_t market, const FeeSchedule& fees) {
  Apply(memory, CommandKind::kSetFees, EventKind::kFeesSet, 0, 0, market, EncodeFeeSchedule(fees));
}

// Something of everything.
void FillWith(VenueMemory& memory) {
  Apply(memory, CommandKind::kOpenAccount, EventKind::kAccountOpened, 7);
  Apply(memory, CommandKind::kDeposit, EventKind::kBalance, 7);
  RiskLimits limits;
  limits.open_orders_max = 3;
  limits.order_notional_max = Money::FromMicros(5);
  Apply(memory, CommandKind::kSetRiskLimits, EventKind::kLimitsSet, 9, 0, 0,
        EncodeRiskLimits(limits));
  SetPositionLimit(memory, 7, 4, 50);
  SetPositionLimit(memory, 9, 2, 60);
  SetCancelsAtEnd(memory, "desk-1", true);
  SetCancelsAtEnd(memory, "desk-2", false);
  SetFees(memory, 4, {.taker_coefficient = 700});
  SetFees(memory, 0, {.taker_coefficient = 500});
  Apply(memory, CommandKind::kCloseMarket, EventKind::kMarketState, 0, 0, 4);
  Order(memory, 7, 1);
  Order(memory, 7, 512);
  Order(memory, 2, UINT64_MAX);
  OrderWithText(memory, 7, "mine-1");
  OrderWithText(memory, 7, "mine-2");
  OrderWithText(memory, 2, "mine-1");
  DefineGroup(memory, 9, 5);
}

TEST(VenueMemory, RemembersWhatTheLogSays) {
  VenueMemory memory;
  FillWith(memory);
  EXPECT_TRUE(memory.AccountOf(AccountId(7)).is_open);
  EXPECT_TRUE(memory.AccountOf(AccountId(7)).is_funded);
  EXPECT_FALSE(memory.AccountOf(AccountId(9)).is_open);
  EXPECT_EQ(memory.AccountOf(AccountId(9)).limits.open_orders_max, 3u);
  EXPECT_TRUE(memory.IsDone(MarketId(4), CommandKind::kCloseMarket));
  EXPECT_FALSE(memory.IsDone(MarketId(4), CommandKind::kOpenMarket));
  EXPECT_TRUE(memory.IdsOf(AccountId(7)).Contains(512));
  EXPECT_FALSE(memory.IdsOf(AccountId(2)).Contains(512)) << "of another account";
}

TEST(VenueMemory, RemembersTheIdsThatAreText) {
  VenueMemory memory;
  OrderWithText(memory, 7, "mine-1");
  EXPECT_TRUE(memory.TextsOf(AccountId(7)).Contains("mine-1"));
  EXPECT_FALSE(memory.TextsOf(AccountId(7)).Contains("mine-2"));
  EXPECT_FALSE(memory.TextsOf(AccountId(8)).Contains("mine-1")) << "of another account";
  Apply(memory, CommandKind::kNewOrder, EventKind::kRejected, 8, 0, 0, EncodeOrderNote("mine-1"));
  EXPECT_FALSE(memory.TextsOf(AccountId(8)).Contains("mine-1")) << "refused";
  Apply(memory, CommandKind::kAmend, EventKind::kAmended, 8, 0, 0, EncodeOrderNote("mine-3"));
  EXPECT_TRUE(memory.TextsOf(AccountId(8)).Contains("mine-3")) << "given by an amend";
}

TEST(VenueMemory, RemembersTheHighestGroupOfAnAccount) {
  VenueMemory memory;
  EXPECT_EQ(memory.AccountOf(AccountId(7)).group_last, GroupId());
  DefineGroup(memory, 7, 5);
  DefineGroup(memory, 7, 3);
  EXPECT_EQ(memory.AccountOf(AccountId(7)).group_last, GroupId(5));
  EXPECT_EQ(memory.AccountOf(AccountId(8)).group_last, GroupId());
}

TEST(VenueMemory, CountsTheGroupsOfAnAccount) {
  VenueMemory memory;
  DeleteGroup(memory, 7, 5);
  EXPECT_EQ(memory.AccountOf(AccountId(7)).group_count, 0u) << "of a log that was read in part";
  DefineGroup(memory, 7, 5);
  DefineGroup(memory, 7, 5);
  DefineGroup(memory, 7, 70'000);
  DefineGroup(memory, 8, 70'001);
  EXPECT_EQ(memory.AccountOf(AccountId(7)).group_count, 2u);
  AboutGroup(memory, CommandKind::kDefineGroup, EventKind::kRejected, 7, 70'002);
  AboutGroup(memory, CommandKind::kDeleteGroup, EventKind::kRejected, 7, 5);
  EXPECT_EQ(memory.AccountOf(AccountId(7)).group_count, 2u);
  DeleteGroup(memory, 7, 5);
  EXPECT_EQ(memory.AccountOf(AccountId(7)).group_count, 1u);
  VenueMemory loaded;
  ASSERT_TRUE(LoadInto(PartsOf(memory), loaded).ok());
  EXPECT_EQ(loaded.AccountOf(AccountId(7)), memory.AccountOf(AccountId(7)));
}

TEST(VenueMemory, RemembersThePositionLimitsInForce) {
  using Limits = std::map<MarketId, Quantity>;
  VenueMemory memory;
  const Digest empty = memory.MemoryDigest();
  SetPositionLimit(memory, 6, 1, 5);
  SetPositionLimit(memory, 7, 4, 5);
  SetPositionLimit(memory, 7, 4, 50);
  SetPositionLimit(memory, 7, 2, 60);
  SetPositionLimit(memory, 8, 1, 5);
  EXPECT_EQ(
      memory.PositionLimitsOf(AccountId(7)),
      (Limits{{MarketId(2), Quantity::FromUnits(60)}, {MarketId(4), Quantity::FromUnits(50)}}));
  EXPECT_EQ(memory.PositionLimitsOf(AccountId(5)), Limits());
  Apply(memory, CommandKind::kSetPositionLimit, EventKind::kRejected, 6, 0, 1);
  EXPECT_EQ(memory.PositionLimitsOf(AccountId(6)).size(), 1u) << "refused";
  for (const auto& [account, market] : {std::pair(6, 1), {7, 2}, {7, 4}, {8, 1}, {8, 2}}) {
    SetPositionLimit(memory, account, market, 0);
  }
  EXPECT_EQ(memory.PositionLimitsOf(AccountId(7)), Limits());
  EXPECT_EQ(memory.MemoryDigest(), empty);
}

TEST(VenueMemory, RemembersWhatOperatorsSetForLogins) {
  VenueMemory memory;
  EXPECT_EQ(memory.CancelsAtEnd("desk-1"), std::nullopt);
  SetCancelsAtEnd(memory, "desk-1", true);
  EXPECT_EQ(memory.CancelsAtEnd("desk-1"), true);
  EXPECT_EQ(memory.CancelsAtEnd("desk-2"), std::nullopt);
  SetCancelsAtEnd(memory, "desk-1", false);
  EXPECT_EQ(memory.CancelsAtEnd("desk-1"), false);
  VenueMemory loaded;
  ASSERT_TRUE(LoadInto(PartsOf(memory), loaded).ok());
  EXPECT_EQ(loaded.CancelsAtEnd("desk-1"), false);
  EXPECT_EQ(loaded.MemoryDigest(), memory.MemoryDigest());
}

TEST(VenueMemory, RemembersTheFeesThatWereSetLast) {
  VenueMemory memory;
  EXPECT_EQ(memory.FeesOf(MarketId(4)), std::nullopt);
  SetFees(memory, 4, {.taker_coefficient = 700, .maker_coefficient = 175, .multiplier = 50});
  SetFees(memory, 5, {.taker_coefficient = 700});
  SetFees(memory, 5, {});
  const Digest digest = memory.MemoryDigest();
  Apply(memory, CommandKind::kSetFees, EventKind::kRejected, 0, 0, 6, EncodeFeeSchedule({}));
  EXPECT_EQ(memory.MemoryDigest(), digest) << "refused";
  VenueMemory loaded;
  ASSERT_TRUE(LoadInto(PartsOf(memory), loaded).ok());
  EXPECT_EQ(loaded.FeesOf(MarketId(4)),
            (FeeSchedule{.taker_coefficient = 700, .maker_coefficient = 175, .multiplier = 50}));
  EXPECT_EQ(loaded.FeesOf(MarketId(5)), FeeSchedule());
  EXPECT_EQ(loaded.FeesOf(MarketId(6)), std::nullopt);
  EXPECT_EQ(loaded.MemoryDigest(), digest);
}

TEST(VenueMemory, OtherNotesAreNothingToIt) {
  VenueMemory memory;
  const Digest empty = memory.MemoryDigest();
  const Note other = {.name_space = "venue", .version = 1, .bytes = {}};
  Apply(memory, CommandKind::kNote, EventKind::kNoted, 0, 0, 0, EncodeNote(other));
  Apply(memory, CommandKind::kNote, EventKind::kNoted, 0);
  const Note refused = NoteOf({.login = "desk-1", .cancels_at_end = true});
  Apply(memory, CommandKind::kNote, EventKind::kRejected, 0, 0, 0, EncodeNote(refused));
  EXPECT_EQ(memory.MemoryDigest(), empty);
}

// A fill pays an account that has no deposit.
TEST(VenueMemory, TakesNoFillForADeposit) {
  VenueMemory memory;
  Apply(memory, CommandKind::kNewOrder, EventKind::kBalance, 7);
  EXPECT_FALSE(memory.AccountOf(AccountId(7)).is_funded);
}

TEST(VenueMemory, TakesARefusedOrderForNone) {
  VenueMemory memory;
  Apply(memory, CommandKind::kNewOrder, EventKind::kRejected, 7, 1);
  EXPECT_FALSE(memory.IdsOf(AccountId(7)).Contains(1));
}

RC_GTEST_PROP(VenueMemoryProperty, IsLoadedAsItWasSaved, ()) {
  VenueMemory memory;
  const auto orders = *rc::gen::container<std::vector<std::pair<uint32_t, uint64_t>>>(rc::gen::pair(
      rc::gen::inRange<uint32_t>(0, 3),
      rc::gen::oneOf(rc::gen::inRange<uint64_t>(0, 4'000), rc::gen::arbitrary<uint64_t>())));
  if (*rc::gen::arbitrary<bool>()) FillWith(memory);
  for (const auto& [account, id] : orders) Order(memory, account, id);
  VenueMemory loaded;
  RC_ASSERT(LoadInto(PartsOf(memory), loaded).ok());
  RC_ASSERT(loaded.MemoryDigest() == memory.MemoryDigest());
  for (const auto& [account, id] : orders) {
    RC_ASSERT(loaded.IdsOf(AccountId(account)).Contains(id));
  }
  Order(loaded, 1, 5);
  Order(memory, 1, 5);
  RC_ASSERT(loaded.MemoryDigest() == memory.MemoryDigest());
}

TEST(VenueMemory, IsSavedInPartsOfBoundedSize) {
  VenueMemory memory;
  for (uint64_t i = 0; i < 10'000; ++i) Order(memory, 1, i * 512);
  const Parts parts = PartsOf(memory);
  EXPECT_EQ(parts.size(), 3u + 1u);
  VenueMemory loaded;
  ASSERT_TRUE(LoadInto(parts, loaded).ok());
  EXPECT_EQ(loaded.MemoryDigest(), memory.MemoryDigest());
}

TEST(VenueMemory, RefusesPartsThatAreLostSwappedOrTwice) {
  VenueMemory memory;
  FillWith(memory);
  const Parts parts = PartsOf(memory);
  ASSERT_EQ(parts.size(), 8u);
  for (size_t i = 0; i < parts.size(); ++i) {
    Parts lost = parts;
    lost.erase(lost.begin() + static_cast<std::ptrdiff_t>(i));
    VenueMemory without;
    EXPECT_TRUE(absl::IsDataLoss(LoadInto(lost, without))) << i;
    Parts twice = parts;
    twice.insert(twice.begin() + static_cast<std::ptrdiff_t>(i), parts[i]);
    VenueMemory with;
    EXPECT_TRUE(absl::IsDataLoss(LoadInto(twice, with))) << i;
  }
}

// Its file has hashes, so this is about crashes: what loads can be saved.
TEST(VenueMemory, LoadsOrRefusesPartsWithAnyBitChanged) {
  VenueMemory memory;
  FillWith(memory);
  const Parts parts = PartsOf(memory);
  size_t refused = 0;
  for (size_t part = 0; part < parts.size(); ++part) {
    for (size_t bit = 0; bit < 8 * parts[part].size(); ++bit) {
      Parts changed = parts;
      changed[part][bit / 8] ^= std::byte{1} << (bit % 8);
      VenueMemory loaded;
      if (LoadInto(changed, loaded).ok()) {
        EXPECT_FALSE(PartsOf(loaded).empty());
      } else {
        ++refused;
      }
    }
  }
  EXPECT_GT(refused, 100u);
}

}  // namespace
}  // namespace engine
