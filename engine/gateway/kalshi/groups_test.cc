// Order groups of one account, up to as many as it may have. The exchange here defines and deletes
// what it is asked to, and the gateway's memory and views follow it.

#include "engine/gateway/kalshi/groups.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/digest.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "engine/gateway/kalshi/catalogue.h"
#include "engine/gateway/kalshi/reply.h"
#include "engine/gateway/kalshi/submitter.h"
#include "engine/gateway/kalshi/views.h"
#include "engine/gateway/kalshi/world.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/messages/market_directory.h"
#include "engine/types/ids.h"
#include "engine/views/venue_memory.h"
#include "engine/wire/kalshi/errors.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

constexpr AccountId kAccount(7);
constexpr absl::string_view kLimit = R"({"contracts_limit":5})";

class KalshiGroupsTest : public testing::Test, private KalshiSubmitter {
 protected:
  // Returns the id of the group; the reply's body if it was refused.
  std::string Create(AccountId account = kAccount) {
    const KalshiReply reply = groups_.Create(account, kLimit);
    const absl::string_view member = R"("order_group_id":")";
    const absl::string_view body = reply.body;
    const size_t at = body.find(member);
    if (reply.status != 201 || at == absl::string_view::npos) {
      return absl::StrCat(reply.status, " ", body);
    }
    return std::string(body.substr(at + member.size(), 36));
  }
  int Delete(absl::string_view id) {
    return groups_.Act(kAccount, id, CommandKind::kDeleteGroup).status;
  }
  // As an operator may, who is no client.
  void Define(uint32_t number) {
    Command command;
    command.kind = CommandKind::kDefineGroup;
    command.account = kAccount;
    command.set_group(GroupId(number));
    ASSERT_TRUE(Submit(command, {}).ok());
  }
  // Until this is called, commands are applied but not released: the views do not show them.
  void Release() {
    for (const Command& command : applied_) {
      const Event event = EventOf(command);
      views_.Fold(command, {}, {&event, 1});
    }
    applied_.clear();
  }

  VenueMemory memory_;
  KalshiViews views_;
  std::vector<Command> applied_;
  const MarketDirectory markets_;
  const KalshiCatalogue catalogue_;
  const KalshiWorld world_ = {.markets = markets_,
                              .catalogue = catalogue_,
                              .memory = memory_,
                              .views = views_,
                              .ids = KalshiIds(Digest{.low = 1, .high = 2})};
  KalshiGroups groups_{world_, *this};

 private:
  static Event EventOf(const Command& command) {
    Event event;
    event.sequence = command.sequence;
    event.kind = command.kind == CommandKind::kDeleteGroup ? EventKind::kGroupDeleted
                                                           : EventKind::kGroupDefined;
    event.account = command.account;
    event.order_id = OrderId(command.group().value());
    event.quantity = command.quantity;
    return event;
  }

  kalshi::Result<KalshiApplied> Submit(const Command& command, Bytes) override {
    applied_.push_back(command);
    applied_.back().sequence = SequenceNumber(++last_);
    event_ = EventOf(applied_.back());
    memory_.OnApplied(applied_.back(), {}, {&event_, 1});
    return KalshiApplied{.sequence = SequenceNumber(last_), .time = {}, .events = {&event_, 1}};
  }

  Timestamp Now() override { return {}; }

  uint64_t last_ = 0;
  Event event_;
};

TEST_F(KalshiGroupsTest, AnAccountHasAtMostAHundredThousand) {
  const std::string first = Create();
  std::string last;
  for (uint32_t i = 1; i < KalshiGroups::kGroupsMax; ++i) {
    last = Create();
    ASSERT_EQ(last.size(), 36u) << last;
  }
  constexpr absl::string_view kRefused =
      R"(400 {"error":{"code":"invalid_parameters","message":"invalid parameters",)"
      R"("details":"an account has at most 100000 order groups"}})";
  EXPECT_EQ(Create(), kRefused) << "none of them is released";
  Release();
  EXPECT_EQ(Create(), kRefused);
  EXPECT_EQ(Create(AccountId(8)).size(), 36u) << "of another account";

  const std::string list = groups_.List(kAccount).body;
  EXPECT_TRUE(absl::StrContains(list, first));
  EXPECT_TRUE(absl::StrContains(list, last));
  EXPECT_EQ(world_.ids.GroupOf(kAccount, last), GroupId(100'000));
  EXPECT_EQ(groups_.Get(kAccount, last).status, 200);
  EXPECT_EQ(groups_.SetLimit(kAccount, last, kLimit).status, 200) << "it is no further group";
  EXPECT_EQ(Create(), kRefused);

  EXPECT_EQ(Delete(first), 200);
  const std::string next = Create();
  EXPECT_EQ(world_.ids.GroupOf(kAccount, next), GroupId(100'001));
  EXPECT_EQ(Create(), kRefused);
  Release();
  EXPECT_EQ(groups_.Get(kAccount, first).status, 404);
  EXPECT_EQ(groups_.Get(kAccount, next).status, 200);
}

TEST_F(KalshiGroupsTest, NumbersEndAtThatOfThreeBytes) {
  Define(kGroupIdMax.value() - 1);
  const std::string last = Create();
  EXPECT_EQ(world_.ids.GroupOf(kAccount, last), kGroupIdMax);
  EXPECT_EQ(Create(), R"(400 {"error":{"code":"invalid_parameters","message":"invalid parameters",)"
                      R"("details":"the account has had all ids of order groups"}})");
}

}  // namespace
}  // namespace engine
