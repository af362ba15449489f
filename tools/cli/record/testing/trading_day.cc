#include "tools/cli/record/testing/trading_day.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "engine/base/prng.h"
#include "engine/base/timestamp.h"
#include "engine/messages/command.h"
#include "engine/messages/market_definition_codec.h"
#include "engine/messages/text.h"
#include "engine/types/ids.h"

namespace tools {
namespace {

constexpr int64_t kFirstNanos = 1'580'376'600'000'000'000;  // 2020-01-30T09:30:00Z
constexpr int64_t kStepNanos = 1'000'000;

// Ids come again, so that some are in use, and some are of orders that ended long ago.
constexpr uint64_t kClientIds = 3'000;

constexpr const char* kSetup[] = {
    "define_market id=1 symbol=RAIN kind=binary price_decimals=4 quantity_decimals=0 tick=0.0100 "
    "price_min=0.0100 price_max=0.9900 lot=1",
    "define_market id=2 symbol=ACME price_decimals=4 tick=0.0100 price_min=0.0100 "
    "price_max=1000.0000 lot=1",
    "open_account account=1",
    "open_account account=2",
    "deposit account=1 amount=200000.0000",
    "deposit account=2 amount=900000.0000",
    "define_group account=1 group=7 quantity=#60 window_ns=50000000",
    "set_risk_limits account=1 orders_per_second_max=300",
};

engine::Timestamp TimeOf(size_t step) {
  return engine::Timestamp::FromNanos(kFirstNanos + static_cast<int64_t>(step) * kStepNanos);
}

// A step's own, so that no run's past is needed for it.
engine::Prng PrngOf(uint64_t seed, size_t step) { return engine::Prng(seed * 1'000'003 + step); }

std::string PriceText(engine::Prng& prng, bool is_rain) {
  return is_rain ? absl::StrFormat("0.%02d", prng.Between(40, 60))
                 : absl::StrFormat("%d.%02d", prng.Between(99, 101), prng.Between(0, 4));
}

}  // namespace

TradingDay::TradingDay(Options options) : options_(std::move(options)) {
  clock_.Set(TimeOf(0));
  Start(/*resume=*/false, replay::EngineKind::kFast);
  for (const char* line : kSetup) SubmitAsOther(line);
  Close();
}

std::string TradingDay::Open(replay::EngineKind engine) {
  notes_.clear();
  Start(/*resume=*/true, engine);
  return notes_;
}

void TradingDay::Start(bool resume, replay::EngineKind engine) {
  console_ = std::make_unique<Console>(
      [](absl::string_view) {}, [this](absl::string_view text) { absl::StrAppend(&notes_, text); },
      Console::Options{});
  auto started =
      TextConversation::Start({.recording = {.path = options_.path,
                                             .created_by = "a trading day",
                                             .recorder = {},
                                             .writer = {.segment_bytes = options_.segment_bytes,
                                                        .block_records = options_.block_records,
                                                        .reserve_bytes = options_.reserve_bytes},
                                             .engine = engine},
                               .resume = resume,
                               .account = engine::AccountId(1)},
                              clock_, *console_);
  CHECK_OK(started.status());
  conversation_ = *std::move(started);
}

std::string TradingDay::Trade(size_t steps) {
  replies_.clear();
  for (const size_t end = step_ + steps; step_ < end; ++step_) {
    clock_.Set(TimeOf(step_));
    CHECK_OK(conversation_->Feed(engine::AsBytes(NextLine()), [this] { TakeReplies(); }));
  }
  CHECK_OK(conversation_->Settle());
  TakeReplies();
  return replies_;
}

void TradingDay::TakeReplies() {
  absl::StrAppend(&replies_, conversation_->output());
  conversation_->ClearOutput();
}

void TradingDay::Close() {
  CHECK_OK(conversation_->Finish().status());
  conversation_ = nullptr;
}

void TradingDay::Kill() { conversation_ = nullptr; }

std::string TradingDay::NextLine() {
  engine::Prng prng = PrngOf(options_.seed, step_);
  const uint64_t id = prng.Below(kClientIds);
  const uint64_t choice = prng.Below(1'000);
  if (choice < 2) return "PRINT\n";
  if (choice < 200) return absl::StrCat("CANCEL ", id, "\n");
  const bool is_rain = prng.Chance(50);
  if (choice < 300) {
    return absl::StrCat("MODIFY ", id, " ", PriceText(prng, is_rain), " ", prng.Between(1, 30),
                        "\n");
  }
  if (choice < 305) {
    SubmitAsOther("reset_group account=1 group=7");
    return "\n";
  }
  if (choice < 550) {
    SubmitAsOther(absl::StrFormat("%s market=%s price=%s quantity=%d account=2%s",
                                  prng.Chance(50) ? "bid" : "ask", is_rain ? "RAIN" : "ACME",
                                  absl::StrCat(PriceText(prng, is_rain), "00"), prng.Between(1, 40),
                                  prng.Chance(30) ? " tif=ioc" : ""));
    return "\n";
  }
  // Symbols of its own too, which it defines as it goes.
  const std::string symbol = is_rain           ? "RAIN"
                             : prng.Chance(90) ? "ACME"
                                               : absl::StrCat("NEW", prng.Below(1 + step_ / 1'000));
  constexpr const char* kOptions[] = {"",          " POST", " GROUP=7", " STP=TAKER",
                                      " STP=BOTH", " IOC",  " FOK",     " PAUSE"};
  std::string option = kOptions[prng.Below(std::size(kOptions))];
  if (prng.Chance(15)) {
    option = absl::StrCat(" GTT=", TimeOf(step_ + 1 + prng.Below(3'000)).ToString());
  }
  return absl::StrCat("SUBMIT ", id, " ", symbol, prng.Chance(50) ? " BUY " : " SELL ",
                      PriceText(prng, is_rain), " ", prng.Between(1, 30), option, "\n");
}

void TradingDay::SubmitAsOther(absl::string_view text) {
  const engine::MessageText messages(markets_);
  const auto parsed = messages.ParseCommand(text);
  CHECK(parsed.ok()) << text << ": " << parsed.status().message();
  if (parsed->command.kind == engine::CommandKind::kDefineMarket) {
    markets_.Add(*engine::DecodeMarketDefinition(parsed->attachment));
  }
  CHECK_OK(conversation_->Submit(parsed->command, parsed->attachment).status());
}

}  // namespace tools
