// Faults of a gateway whose journal takes no more: what is not recorded does not happen.

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "engine/gateway/kalshi/api.h"
#include "engine/gateway/kalshi/catalogue.h"
#include "engine/gateway/kalshi/kalshi_gateway.h"
#include "engine/gateway/kalshi/tiers.h"
#include "engine/gateway/session_gateway.h"
#include "engine/gateway/venue.h"
#include "engine/messages/command.h"
#include "engine/messages/command_sink.h"
#include "engine/messages/event.h"
#include "engine/messages/kinds.h"
#include "engine/messages/market_directory.h"
#include "engine/types/ids.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

class KalshiSimulationTest : public testing::Test,
                             private CommandSink,
                             private KalshiHost,
                             private KalshiUsers {
 protected:
  KalshiSimulationTest() { venue_.Connect(*this); }

  absl::Status Inject(absl::string_view fault, absl::string_view parameters) {
    return gateway_.Inject(fault, parameters);
  }
  // The first line of the answer to a request of `session`.
  std::string Ask(SessionId session) {
    constexpr absl::string_view kRequest =
        "GET /trade-api/v2/exchange/status HTTP/1.1\r\nHost: v\r\n\r\n";
    EXPECT_TRUE(gateway_.OnBytes(session, AsBytes(kRequest)).ok());
    std::string answer;
    gateway_.TakeReady([&](SessionId, absl::string_view replies) {
      absl::StrAppend(&answer, replies);
      return true;
    });
    return answer.substr(0, answer.find('\r'));
  }

  bool is_full_ = false;
  int shown_percent_ = 100;

 private:
  absl::StatusOr<SequenceNumber> Submit(const Command& command, Bytes) override {
    if (is_full_) return absl::ResourceExhaustedError("the disk is full");
    Command sequenced = command;
    sequenced.sequence = SequenceNumber(venue_.last_applied().value() + 1);
    Event event;
    event.sequence = sequenced.sequence;
    event.kind = EventKind::kNoted;
    venue_.OnApplied(sequenced, {&event, 1});
    venue_.OnEvents(sequenced, {&event, 1});
    return sequenced.sequence;
  }
  Timestamp Now() override { return {}; }
  absl::Status JournalStatus() const override { return absl::OkStatus(); }
  bool has_agents() const override { return true; }
  void ShowPercent(int percent) override { shown_percent_ = percent; }
  std::optional<AccountId> AccountOf(absl::string_view) const override { return std::nullopt; }
  bool IsSigned(absl::string_view, absl::string_view, absl::string_view) override { return false; }
  const KalshiTier& TierOf(AccountId) const override { return kKalshiTiers[0]; }

  Venue venue_;
  const MarketDirectory markets_;
  const KalshiCatalogue catalogue_;
  KalshiGateway gateway_{venue_, *this, *this, catalogue_, markets_, {.takes_faults = true}};

 protected:
  const SessionId session_ = gateway_.Open();
  bool IsOver() const { return gateway_.is_over(session_); }
};

TEST_F(KalshiSimulationTest, AFaultThatIsNotRecordedDoesNotHappen) {
  is_full_ = true;
  EXPECT_TRUE(absl::IsResourceExhausted(Inject("rate_limit_burst", "count=1")));
  EXPECT_TRUE(absl::IsResourceExhausted(Inject("drop_connection", "count=1&kind=http")));
  EXPECT_TRUE(absl::IsResourceExhausted(Inject("partial_fill_rate", "percent=10")));
  EXPECT_FALSE(IsOver());
  EXPECT_EQ(shown_percent_, 100);
  EXPECT_EQ(Ask(session_), "HTTP/1.1 200 OK");

  is_full_ = false;
  EXPECT_TRUE(Inject("rate_limit_burst", "count=1").ok());
  EXPECT_TRUE(Inject("partial_fill_rate", "percent=10").ok());
  EXPECT_EQ(shown_percent_, 10);
  EXPECT_EQ(Ask(session_), "HTTP/1.1 429 Too Many Requests");
  EXPECT_TRUE(Inject("drop_connection", "count=1&kind=http").ok());
  EXPECT_TRUE(IsOver());
}

}  // namespace
}  // namespace engine
