#include "bench/hot_path_scene.h"

#include <array>

#include "absl/strings/str_format.h"
#include "engine/base/prng.h"
#include "engine/base/timestamp.h"
#include "engine/types/price.h"
#include "engine/types/side.h"
#include "engine/wire/kalshi/channel_messages.h"
#include "engine/wire/kalshi/frames.h"
#include "engine/wire/kalshi/json_writer.h"
#include "engine/wire/kalshi/numbers.h"
#include "simdjson.h"

namespace bench {
namespace {

using engine::Price;
using engine::Side;
using engine::kalshi::Count;
using engine::kalshi::FeedLevel;

constexpr int64_t kLevels = 10;  // Of a side.
constexpr int64_t kCent = 100;
constexpr int64_t kBetterBid = 50 * kCent;  // The level that comes and goes.
constexpr int64_t kContract = 100;
constexpr int64_t kStart = 1'781'159'489'957'081'000;

// 49, 48 ... cents, and 51, 52 ... cents.
Price PriceOf(Side side, int64_t depth) {
  return Price::FromUnits(side == Side::kBid ? 49 * kCent - depth * kCent
                                             : 51 * kCent + depth * kCent);
}

// A market as the venue has it, in hundredths of contracts.
struct VenueBook {
  VenueBook() {
    for (auto& side : counts) side.fill(HotPathScene::kThick.units());
  }

  // The next change, which is done.
  FeedLevel Change(engine::Prng& prng, bool& is_thin) {
    if (prng.Chance(10)) return ChangeBest(prng, is_thin);
    const Side side = prng.Chance(50) ? Side::kBid : Side::kAsk;
    // The best bid that stays is always thick.
    const int64_t depth = prng.Between(side == Side::kBid ? 1 : 0, kLevels - 1);
    uint64_t& count = counts[side == Side::kBid ? 0 : 1][static_cast<size_t>(depth)];
    uint64_t next = prng.Below(100) * kContract;
    if (next == count) next += kContract;
    const auto change = static_cast<int64_t>(next - count);
    count = next;
    return {.side = side, .price = PriceOf(side, depth), .count = Count::FromHundredths(change)};
  }

 private:
  FeedLevel ChangeBest(engine::Prng& prng, bool& is_thin) {
    int64_t change = -better_bid;
    if (better_bid == 0) {
      is_thin = prng.Below(32) == 0;
      change = is_thin ? 5 * kContract : static_cast<int64_t>(HotPathScene::kThick.units());
    }
    better_bid += change;
    return {.side = Side::kBid,
            .price = Price::FromUnits(kBetterBid),
            .count = Count::FromHundredths(change)};
  }

  std::array<std::array<uint64_t, kLevels>, 2> counts;
  int64_t better_bid = 0;
};

}  // namespace

HotPathScene MakeHotPathScene(size_t frames, uint64_t seed) {
  HotPathScene scene;
  std::vector<std::string> ids;
  for (size_t i = 0; i < HotPathScene::kMarkets; ++i) {
    scene.tickers.push_back(absl::StrFormat("KXBTCD-26NOV2017-T%05d.99", 90'000 + 35 * i));
    ids.push_back(absl::StrFormat("9df498fd-1ffe-833c-b2d6-14a55c96b%03x", i));
  }
  for (const Side side : {Side::kBid, Side::kAsk}) {
    for (int64_t depth = 0; depth < kLevels; ++depth) {
      scene.book.push_back(
          {.side = side, .price = PriceOf(side, depth), .count = Count::Of(HotPathScene::kThick)});
    }
  }
  std::vector<VenueBook> books(HotPathScene::kMarkets);
  engine::Prng prng(seed);
  size_t orders = HotPathScene::kMarkets;
  std::string msg;
  for (size_t i = 0; i < frames; ++i) {
    const size_t market = prng.Below(HotPathScene::kMarkets);
    bool is_thin = false;
    const FeedLevel level = books[market].Change(prng, is_thin);
    if (is_thin) ++orders;  // The order is cancelled; a new one follows.
    const auto n = static_cast<int64_t>(i);
    msg.clear();
    engine::kalshi::JsonWriter json(msg);
    Write(
        engine::kalshi::OrderbookDelta{
            .market = {.ticker = scene.tickers[market], .id = ids[market]},
            .side = level.side,
            .price = level.price,
            .change = level.count,
            .time = engine::Timestamp::FromNanos(kStart + n * 1'003'000)},
        {.use_yes_price = true}, json);
    std::string& frame = scene.frames.emplace_back();
    frame.reserve(msg.size() + 100 + simdjson::SIMDJSON_PADDING);
    engine::kalshi::AppendFrame(engine::kalshi::FrameType::kOrderbookDelta,
                                {.sid = 1, .seq = 123'456 + n}, msg, frame);
  }
  for (size_t i = 0; i < orders; ++i) {
    scene.order_ids.push_back(absl::StrFormat("%08x-7a91-4c05-9d3e-2f6b8c1d4e7a", i));
  }
  return scene;
}

}  // namespace bench
