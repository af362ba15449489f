// Random clients over some lives of a venue: each receives what a sequential model says, a replay
// has the events of the live run, and the conversation is replayed byte for byte.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <tuple>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/prng.h"
#include "engine/base/sequence_number.h"
#include "engine/base/testing/campaign_size.h"
#include "engine/base/timestamp.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "engine/types/money.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "gtest/gtest.h"
#include "journal/testing/memory_storage.h"
#include "rapidcheck.h"
#include "tools/serve/conversation_replay.h"
#include "tools/serve/testing/kept_talk.h"
#include "tools/serve/testing/venue_life.h"
#include "tools/serve/testing/venue_model.h"
#include "tools/serve/venue_config.h"

namespace tools {
namespace {

using engine::AccountId;
using engine::Money;
using engine::Timestamp;

constexpr int64_t kMillisecond = 1'000'000;

// Who logs in at each place of a client.
constexpr absl::string_view kLogins[] = {"one", "one", "one-cancels", "two", "two-cancels"};

VenueConfig Config() {
  VenueConfig config;
  config.accounts = {{.id = AccountId(1), .money = Money::Parse("100").value()},
                     {.id = AccountId(2), .money = Money::Parse("50").value()}};
  config.accounts[1].limits.emplace().open_orders_max = 4;
  config.accounts[1].position_limits = {
      {.market = engine::MarketId(3), .limit = engine::Quantity::FromUnits(9)}};
  config.markets = {
      {.definition = {.id = engine::MarketId(3), .symbol = "ACME", .price_decimals = 2}},
      {.definition = {.id = engine::MarketId(4),
                      .symbol = "RAIN",
                      .price_decimals = 2,
                      .price_max = engine::Price::FromUnits(99),
                      .kind = engine::MarketKind::kBinary}}};
  for (const int account : {1, 2}) {
    const std::string name = account == 1 ? "one" : "two";
    for (const bool cancels : {false, true}) {
      config.logins.push_back({.name = absl::StrCat(name, cancels ? "-cancels" : ""),
                               .secret = "12345678",
                               .account = AccountId(account),
                               .cancel_on_disconnect = cancels});
    }
  }
  return config;
}

enum class What {
  kTurn,
  kStepJournal,
  kOrder,
  kCancel,
  kModify,
  kPrint,
  kRubbish,
  kPace,
  kLeave,
  kTime,
  kRestart,
};

// Small numbers, so that ids, prices and sides meet; what they mean is up to the step.
struct Step {
  What what = {};
  size_t place = 0;
  int id = 0;
  int price = 0;
  int quantity = 0;
  int choice = 0;  // 0 to 99.
};

std::string OrderLine(const Step& step) {
  const absl::string_view side = step.choice % 2 == 0 ? "BUY" : "SELL";
  const bool is_rain = step.choice % 10 < 3;
  const std::string price =
      is_rain ? absl::StrCat("0.4", step.price) : absl::StrCat("1", step.price);
  const std::string symbol = is_rain ? "RAIN" : "ACME";
  if (step.choice >= 90) {
    return absl::StrCat("MARKET ", step.id, " ", symbol, " ", side, " ", step.quantity, "\n");
  }
  static constexpr absl::string_view kTerms[] = {
      "", "", "", "", "IOC", "FOK", "POST", "STP=BOTH", "GTT=2026-11-25T10:00:02Z", "DAY REDUCE"};
  return absl::StrCat("SUBMIT ", step.id, " ", symbol, " ", side, " ", price, " ", step.quantity,
                      " ", kTerms[step.choice / 10], "\n");
}

std::string Rubbish(const Step& step) {
  const std::string cancel = absl::StrCat("CANCEL ", step.id);
  switch (step.choice % 10) {
    case 0:
      return std::string(static_cast<size_t>(509 + step.id), 'x') + "\n";
    case 1:
      return cancel + std::string(static_cast<size_t>(501 + step.id), ' ') + "\r\n";
    case 2:
      return cancel.substr(0, static_cast<size_t>(step.id));  // The next line completes it.
    case 3:
      return absl::StrCat("SUBMIT ", step.id, " NONE BUY 1 1\n");
    case 4:
      return absl::StrCat("SUBMIT ", step.id, " ACME BUY 1.001 1\n");
    case 5:
      return "POLICY none\n";
    case 6:
      return absl::StrCat("\n# ", step.id, "\r\n \n");
    case 7:
      return std::string("\xff\0\x01\n\n", 5);
    case 8:
      return std::string(2'000, 'y');
    default:
      return cancel + "\r\nPRINT\n" + cancel + "\nPRINT NONE\n" + cancel + "\n";
  }
}

// What a client that connects in this step sends first. Mostly it logs in.
std::string Login(const Step& step) {
  const absl::string_view name = kLogins[step.place];
  switch (step.choice % 25) {
    case 0:
      return absl::StrCat("LOGIN ", name, " 12345679\n");
    case 1:
      return absl::StrCat("LOGIN ", name.substr(1), " 12345678\n");
    case 2:
      return absl::StrCat("LOGIN ", name);
    case 3:
      return absl::StrCat("  LOGIN\t", name, "  12345678 # comment\r\n");
    case 4:
      return "";
    default:
      return absl::StrCat("LOGIN ", name, " 12345678\n");
  }
}

std::string LineOf(const Step& step) {
  switch (step.what) {
    case What::kOrder:
      return OrderLine(step);
    case What::kCancel:
      return absl::StrCat("CANCEL ", step.id, "\n");
    case What::kModify:
      return absl::StrCat("MODIFY ", step.id, " ", step.choice % 10 < 3 ? "0.4" : "1", step.price,
                          " ", step.quantity, "\n");
    case What::kPrint:
      return step.choice < 50 ? "PRINT\n" : "PRINT ACME\n";
    default:
      return Rubbish(step);
  }
}

void showValue(const Step& step, std::ostream& out) {
  out << "{What(" << static_cast<int>(step.what) << "), " << step.place << ", " << step.id << ", "
      << step.price << ", " << step.quantity << ", " << step.choice << "}";
}

rc::Gen<Step> AnyStep() {
  return rc::gen::construct<Step>(
      rc::gen::weightedElement<What>({{20, What::kTurn},
                                      {12, What::kStepJournal},
                                      {40, What::kOrder},
                                      {14, What::kCancel},
                                      {10, What::kModify},
                                      {5, What::kPrint},
                                      {8, What::kRubbish},
                                      {4, What::kPace},
                                      {8, What::kLeave},
                                      {4, What::kTime},
                                      {2, What::kRestart}}),
      rc::gen::resize(100, rc::gen::inRange<size_t>(0, std::size(kLogins))),
      rc::gen::resize(100, rc::gen::inRange(0, 30)), rc::gen::resize(100, rc::gen::inRange(0, 4)),
      rc::gen::resize(100, rc::gen::inRange(0, 6)), rc::gen::resize(100, rc::gen::inRange(0, 100)));
}

// The lives of a venue, one after the other, over one journal.
class Lives {
 public:
  explicit Lives(uint64_t seed) : prng_(seed) {
    world_.config = Config();
    world_.clock.Set(Timestamp::Parse("2026-11-25T10:00:00Z").value());
    Begin();
  }

  void Play(const Step& step) {
    switch (step.what) {
      case What::kTurn:
        for (int i = 0; i <= step.quantity; ++i) life_->Turn();
        return;
      case What::kStepJournal:
        return life_->StepJournal(static_cast<uint64_t>(step.choice));
      case What::kPace:
        return life_->SetPace(step.place, step.id < 10 ? 1 + step.id : VenueLife::kWindow,
                              step.choice < 30   ? 0
                              : step.choice < 60 ? 500
                                                 : SIZE_MAX);
      case What::kLeave:
        return life_->Leave(step.place, step.choice < 40   ? VenueLife::Leaving::kEndsOutput
                                        : step.choice < 70 ? VenueLife::Leaving::kCloses
                                                           : VenueLife::Leaving::kResets);
      case What::kTime:
        return Pass(step.choice < 80 ? 10 * step.choice : 11'000);
      case What::kRestart:
        return Restart(step);
      default:
        return life_->Say(step.place, LineOf(step), Login(step));
    }
  }

  // The last life ends in order, and its journal has the events of all lives.
  void End() {
    life_->Settle();
    life_->Judge(VenueLife::Moment::kQuiet);
    Drain();
    const size_t lived = world_.lived.size();
    Begin();
    RC_ASSERT(world_.lived.size() == lived);
  }

 private:
  void Begin() { life_ = std::make_unique<VenueLife>(world_, directory_, prng_.Below(1 << 30)); }

  void Pass(int64_t milliseconds) {
    world_.steady.Advance(milliseconds * kMillisecond);
    world_.clock.Set(
        Timestamp::FromNanos(world_.clock.Now().nanos() + milliseconds * kMillisecond));
  }

  void Drain() {
    life_->Drain();
    life_->Judge(VenueLife::Moment::kQuiet);
    const KeptRows talk = life_->talk();
    life_.reset();
    directory_.Kill();
    const std::optional<TalkReport> report = Replay(talk);
    RC_ASSERT(report.has_value());
    RC_ASSERT(report->has_ended);
    RC_ASSERT(report->early_end == "");
  }

  // No byte of the conversation differs. Empty if the journal has lost what was before it.
  std::optional<TalkReport> Replay(const KeptRows& talk) {
    std::vector<AccountId> accounts;
    for (const AccountConfig& account : world_.config.accounts) accounts.push_back(account.id);
    const absl::StatusOr<TalkReport> replayed =
        ReplayTalk(talk, directory_, accounts,
                   [](const auto& machine, const engine::MarketDefinition* market,
                      std::string& out) { AppendModelBook(machine, market, out); });
    if (absl::IsNotFound(replayed.status())) return std::nullopt;
    RC_ASSERT(replayed.ok());
    const TalkReport& report = *replayed;
    if (report.difference.has_value()) {
      RC_LOG() << "row " << report.difference->row << " after " << report.difference->request
               << ": expected " << report.difference->expected << ", found "
               << report.difference->actual;
    }
    RC_ASSERT(!report.difference.has_value());
    return report;
  }

  void Restart(const Step& step) {
    if (step.choice < 30) {
      Drain();
      return Begin();
    }
    life_->Turn();
    life_->Judge(VenueLife::Moment::kAny);
    const engine::SequenceNumber last_shown = life_->last_shown();
    const KeptRows talk = life_->talk();
    life_.reset();
    step.choice < 60 ? directory_.Kill() : directory_.Crash(prng_);
    Replay(talk);
    Begin();
    RC_ASSERT(world_.lived.size() >= last_shown.value());
  }

  engine::Prng prng_;
  VenueWorld world_;
  journal::MemoryDirectory directory_;
  std::unique_ptr<VenueLife> life_;
};

void EachClientReceivesWhatTheModelSays() {
  Lives lives(*rc::gen::arbitrary<uint64_t>());
  const auto steps =
      *rc::gen::scale(3, rc::gen::container<std::vector<Step>>(AnyStep())).as("steps");
  for (const Step& step : steps) lives.Play(step);
  lives.End();
}

// A thousand scripts; many more in the whole campaign.
TEST(VenueProperty, EachClientReceivesWhatTheModelSays) {
  const int rounds = engine::GetCampaignSize().all ? 300 : 10;
  for (int round = 0; round < rounds && !HasFailure(); ++round) {
    EXPECT_TRUE(rc::check(EachClientReceivesWhatTheModelSays));
  }
}

}  // namespace
}  // namespace tools
