// Anything may come from outside, in any order: the client neither fails nor hangs, the strategy
// hears rows that make sense, and Stop() ends.

#include "tools/client/client.h"

#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/prng.h"
#include "engine/base/timestamp.h"
#include "engine/types/ids.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "engine/types/time_in_force.h"
#include "gtest/gtest.h"
#include "tools/client/call.h"
#include "tools/strategy/action.h"
#include "tools/strategy/input.h"

namespace client {
namespace {

using engine::Timestamp;
using strategy::ConnectionState;
using strategy::Input;
using strategy::InputKind;

constexpr int64_t kSecond = 1'000'000'000;
constexpr int64_t kBegan = 1'795'000'000 * kSecond;

constexpr std::array<absl::string_view, 17> kBodies = {
    R"({"read":{"bucket_capacity":200,"refill_rate":200},"write":{"bucket_capacity":100,"refill_rate":100}})",
    R"({"markets":[{"ticker":"RAIN","status":"active","result":"","price_ranges":[{"start":"0.0000","end":"1.0000","step":"0.0100"}]}],"cursor":""})",
    R"({"markets":[{"ticker":"RAIN","status":"active","result":"","price_ranges":[]}],"cursor":""})",
    R"({"as_of_time":"2026-11-19T00:00:00Z"})",
    R"({"as_of_time":"1999-11-19T00:00:00Z"})",
    R"({"orders":[],"cursor":""})",
    R"({"orders":[],"cursor":"AQ"})",
    R"({"orders":[{"order_id":"00000000-0000-4000-8000-000000000001","client_order_id":"run-1","ticker":"RAIN","book_side":"bid","outcome_side":"yes","status":"resting","yes_price_dollars":"0.4200","fill_count_fp":"1.00","remaining_count_fp":"2.00","initial_count_fp":"3.00"}],"cursor":""})",
    R"({"fills":[],"cursor":""})",
    R"({"fills":[{"fill_id":"00000000-0000-4000-8000-000000000009","trade_id":"00000000-0000-4000-8000-000000000009","order_id":"00000000-0000-4000-8000-000000000001","ticker":"RAIN","book_side":"bid","outcome_side":"yes","count_fp":"1.00","yes_price_dollars":"0.4200","is_taker":false,"fee_cost":"0.000000"}],"cursor":""})",
    R"({"market_positions":[{"ticker":"RAIN","position_fp":"-3.00"},{"ticker":"SNOW","position_fp":"1.00"}],"cursor":""})",
    R"({"order_id":"00000000-0000-4000-8000-000000000001","client_order_id":"run-1","fill_count":"0.00","remaining_count":"3.00"})",
    R"({"order_id":"00000000-0000-4000-8000-000000000001","reduced_by":"2.00"})",
    R"({"error":{"code":"not_found","message":"not found"}})",
    R"({"error":"too many requests"})",
    "<html>\x1b[2J",
    "",
};

constexpr std::array<absl::string_view, 14> kFrames = {
    R"({"type":"subscribed","id":1,"msg":{"channel":"orderbook_delta","sid":1}})",
    R"({"type":"subscribed","id":1,"msg":{"channel":"trade","sid":2}})",
    R"({"type":"subscribed","id":1,"msg":{"channel":"fill","sid":3}})",
    R"({"type":"subscribed","id":1,"msg":{"channel":"user_orders","sid":4}})",
    R"({"type":"subscribed","id":1,"msg":{"channel":"market_lifecycle_v2","sid":5}})",
    R"({"type":"subscribed","id":1,"msg":{"channel":"none","sid":-5}})",
    R"({"type":"orderbook_snapshot","sid":1,"seq":SEQ,"msg":{"market_ticker":"RAIN","market_id":"","yes_dollars_fp":[["0.4700","3.00"]],"no_dollars_fp":[["0.4800","2.00"]]}})",
    R"({"type":"orderbook_delta","sid":1,"seq":SEQ,"msg":{"market_ticker":"RAIN","market_id":"","price_dollars":"0.4700","delta_fp":"-3.00","side":"yes","ts":"2026-06-11T06:31:29.957081Z","ts_ms":1781159489957}})",
    R"({"type":"orderbook_delta","sid":9,"seq":SEQ,"msg":{"market_ticker":"HAIL","market_id":"","price_dollars":"0.4700","delta_fp":"3.00","side":"no","ts":"2026-06-11T06:31:29.957081Z","ts_ms":1781159489957}})",
    R"({"type":"fill","sid":3,"msg":{"trade_id":"00000000-0000-4000-8000-000000000009","order_id":"00000000-0000-4000-8000-000000000001","client_order_id":"run-1","market_ticker":"RAIN","is_taker":true,"book_side":"bid","outcome_side":"yes","yes_price_dollars":"0.4200","count_fp":"1.00","fee_cost":"0.010000","post_position_fp":"1.00","ts":1781159489,"ts_ms":1781159489957}})",
    R"({"type":"user_order","sid":4,"msg":{"order_id":"00000000-0000-4000-8000-000000000001","client_order_id":"run-1","ticker":"RAIN","status":"canceled","book_side":"bid","outcome_side":"yes","yes_price_dollars":"0.4200","fill_count_fp":"0.00","remaining_count_fp":"0.00","initial_count_fp":"3.00"}})",
    R"({"type":"market_lifecycle_v2","sid":5,"seq":SEQ,"msg":{"market_ticker":"RAIN","event_type":"determined","result":"yes","settlement_value":"1.0000","determination_ts":1781159489}})",
    R"({"type":"error","id":1,"msg":{"code":8,"msg":"Unknown channel name"}})",
    R"({"type":"ok","id":7,"sid":1,"seq":SEQ,"msg":{}})",
};

class AnyInput final : private ClientHost {
 public:
  explicit AnyInput(uint64_t seed)
      : random_(seed), client_({.run = "run", .tickers = {"RAIN"}, .seed = seed}, *this) {}

  void Run(int steps) {
    client_.Begin(now_);
    for (int i = 0; i < steps && !client_.is_over(); ++i) Step();
    client_.Stop(now_);
    // It ends in time, regardless of what else comes.
    const int64_t end = now_.nanos() + Client::kStopNanos;
    while (now_.nanos() < end && !client_.is_over()) Step();
    now_ = Timestamp::FromNanos(end);
    client_.OnTime(now_);
    EXPECT_TRUE(client_.is_over());
    EXPECT_EQ(connection_, ConnectionState::kDown);
  }
  bool was_live() const { return was_live_; }

 private:
  void Step() {
    switch (random_.Below(12)) {
      case 0:
        if (is_feed_open_) client_.OnFeedOpen(now_);
        break;
      case 1:
        if (is_feed_open_ && random_.Chance(5)) {
          is_feed_open_ = false;
          client_.OnFeedClosed("the server ended the connection", now_);
        }
        break;
      case 2:
      case 3:
      case 4:
        client_.OnFrame(Frame(), now_);
        break;
      case 5:
      case 6:
      case 7:
      case 8:
        Reply();
        break;
      case 9:
        if (!calls_.empty() && random_.Chance(20))
          client_.OnCallFailed(TakeCall().id, "lost", true, now_);
        break;
      case 10:
        client_.Act({.order = strategy::OrderNumber(++orders_),
                     .price = engine::Price::FromUnits(4'200),
                     .quantity = engine::Quantity::FromUnits(300),
                     .market = engine::MarketId(1),
                     .side = engine::Side::kBid,
                     .tif = engine::TimeInForce::kGoodTillCancelled,
                     .kind = strategy::ActionKind::kNewOrder},
                    now_);
        break;
      default:
        now_ = Timestamp::FromNanos(now_.nanos() + random_.Between(0, kSecond / 2));
        client_.OnTime(now_);
    }
  }

  std::string Frame() {
    std::string frame(kFrames[random_.Chance(95) ? Expected() : random_.Below(kFrames.size())]);
    if (const size_t at = frame.find("SEQ"); at != std::string::npos) {
      frame.replace(at, 3, absl::StrCat(random_.Chance(90) ? ++seq_ : random_.Below(20)));
    }
    Damage(frame);
    return frame;
  }

  // First the acknowledgements, then mostly what concerns books.
  size_t Expected() {
    if (acks_ < 5) return acks_++;
    return std::array<size_t, 8>{6, 7, 7, 7, 8, 9, 10, 13}[random_.Below(8)];
  }

  void Damage(std::string& text) {
    if (text.empty() || random_.Below(300) != 0) return;
    const size_t at = random_.Below(text.size());
    text[at] = static_cast<char>(random_.Below(256));
  }

  // Most replies are what was asked for.
  void Reply() {
    if (calls_.empty()) return;
    const Call call = TakeCall();
    std::string body(kBodies[random_.Below(kBodies.size())]);
    int status = 200;
    if (random_.Chance(95)) {
      body = std::string(Expected(call.kind));
    } else {
      status = std::array{200, 201, 204, 400, 401, 404, 409, 429, 500, 503}[random_.Below(10)];
    }
    Damage(body);
    client_.OnReply({.id = call.id, .status = status, .body = body}, now_);
  }

  absl::string_view Expected(CallKind kind) {
    switch (kind) {
      case CallKind::kLimits:
        return kBodies[0];
      case CallKind::kMarkets:
        return kBodies[1];
      case CallKind::kDataTime:
        return kBodies[3];
      case CallKind::kOrders:
        return random_.Chance(70) ? kBodies[7] : kBodies[5];
      case CallKind::kFills:
        return random_.Chance(70) ? kBodies[9] : kBodies[8];
      case CallKind::kPositions:
        return kBodies[10];
      default:
        return kBodies[11];
    }
  }

  Call TakeCall() {
    const size_t at = random_.Below(calls_.size());
    Call call = calls_[at];
    calls_.erase(calls_.begin() + static_cast<ptrdiff_t>(at));
    ids_.erase(call.id);
    return call;
  }

  // ---- The host.

  void Start(const Call& call) override {
    EXPECT_TRUE(ids_.insert(call.id).second) << "already in flight: " << call.path;
    EXPECT_FALSE(client_.is_over());
    calls_.push_back(call);
  }
  void OpenFeed() override {
    EXPECT_FALSE(is_feed_open_);
    is_feed_open_ = true;
    seq_ = 0;
    acks_ = 0;
  }
  void CloseFeed() override { is_feed_open_ = false; }
  void SendFrame(absl::string_view /*json*/) override { EXPECT_TRUE(is_feed_open_); }
  void Hear(const Input& input, engine::Bytes attachment) override {
    EXPECT_EQ(input.kind == InputKind::kMarket, !attachment.empty());
    if (input.kind != InputKind::kConnection) return;
    EXPECT_NE(input.connection(), connection_) << "not news";
    connection_ = input.connection();
    was_live_ |= connection_ == ConnectionState::kLive;
  }
  bool IsBookGood(engine::MarketId) const override { return true; }
  void OnOrderLive(absl::string_view) override {}
  void OnOrderEnded(absl::string_view) override {}
  void Note(absl::string_view text) override { EXPECT_FALSE(text.empty()); }

  engine::Prng random_;
  Timestamp now_ = Timestamp::FromNanos(kBegan);
  std::vector<Call> calls_;
  std::set<uint64_t> ids_;  // Of calls_.
  uint64_t orders_ = 0;
  uint64_t seq_ = 0;
  size_t acks_ = 0;
  bool is_feed_open_ = false;
  bool was_live_ = false;
  ConnectionState connection_ = ConnectionState::kDown;
  Client client_;
};

TEST(Client, SurvivesAnyInput) {
  int live = 0;
  for (uint64_t seed = 1; seed <= 1'000; ++seed) {
    SCOPED_TRACE(seed);
    AnyInput input(seed);
    input.Run(400);
    live += input.was_live() ? 1 : 0;
    ASSERT_FALSE(HasFailure());
  }
  EXPECT_GT(live, 100) << "the inputs are too hostile to test anything";
}

}  // namespace
}  // namespace client
