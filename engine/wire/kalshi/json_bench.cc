// Measures what a busy venue does most with Kalshi's JSON: messages and frames out, orders in, ids
// both ways. The label is the digest of the result, the same in every run.

#include <benchmark/benchmark.h>

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "engine/base/digest.h"
#include "engine/wire/kalshi/channel_messages.h"
#include "engine/wire/kalshi/frames.h"
#include "engine/wire/kalshi/public_id.h"
#include "engine/wire/kalshi/requests.h"

namespace engine::kalshi {
namespace {

constexpr MarketName kMarket = {.ticker = "KXBTCD-26NOV2017-T97249.99",
                                .id = "9df498fd-1ffe-833c-b2d6-14a55c96b914"};
constexpr absl::string_view kOrder =
    R"({"ticker":"KXBTCD-26NOV2017-T97249.99","side":"bid","count":"10.00","price":"0.5600",)"
    R"("time_in_force":"good_till_canceled","self_trade_prevention_type":"taker_at_cross",)"
    R"("client_order_id":"5c691d67-6f50-8ed1-bbe9-44e905be7960"})";

// The i-th delta; prices and times vary.
void AppendDelta(int64_t i, std::string& out) {
  const OrderbookDelta delta = {
      .market = kMarket,
      .side = i % 2 == 0 ? Side::kBid : Side::kAsk,
      .price = Price::FromUnits(100 + i % 9'800),
      .change = Count::FromHundredths(100 * (i % 100) - 5'000),
      .time = Timestamp::FromNanos(1'781'159'489'957'081'000 + i * 1'000'000)};
  JsonWriter json(out);
  Write(delta, BookForm(), json);
}

void SetDigest(benchmark::State& state, absl::string_view text) {
  state.SetLabel(DigestOf(AsBytes(text)).ToString());
  state.SetItemsProcessed(state.iterations());
}

// A delta and its frame for one subscription.
void BM_DeltaFrame(benchmark::State& state) {
  std::string msg;
  std::string out;
  int64_t i = 0;
  for (const auto _ : state) {
    msg.clear();
    out.clear();
    AppendDelta(i++ & 0xFFFF, msg);
    AppendFrame(FrameType::kOrderbookDelta, {.sid = 1, .seq = 123'456}, msg, out);
    benchmark::DoNotOptimize(out.data());
  }
  out.clear();
  AppendDelta(7, out);
  SetDigest(state, out);
}
BENCHMARK(BM_DeltaFrame);

// The frame alone, of a msg that others get too.
void BM_SharedFrame(benchmark::State& state) {
  std::string msg;
  AppendDelta(7, msg);
  std::string out;
  int64_t seq = 0;
  for (const auto _ : state) {
    out.clear();
    AppendFrame(FrameType::kOrderbookDelta, {.sid = 1, .seq = ++seq & 0xFFFFF}, msg, out);
    benchmark::DoNotOptimize(out.data());
  }
  SetDigest(state, msg);
}
BENCHMARK(BM_SharedFrame);

void BM_DecodeCreateOrder(benchmark::State& state) {
  RequestDecoder decoder;
  for (const auto _ : state) {
    const Result<CreateOrder> order = decoder.DecodeCreateOrder(kOrder);
    CHECK(order.ok());
    benchmark::DoNotOptimize(order);
  }
  SetDigest(state, decoder.DecodeCreateOrder(kOrder)->ticker);
}
BENCHMARK(BM_DecodeCreateOrder);

void BM_PublicIdThereAndBack(benchmark::State& state) {
  const PublicIds ids({.low = 1, .high = 2}, IdRole::kOrder);
  uint64_t sequence = 0;
  for (const auto _ : state) {
    const PublicId id = ids.Make({.sequence = ++sequence});
    CHECK(ids.Parse(id.text())->sequence == sequence);
  }
  SetDigest(state, ids.Make({.sequence = 7}).text());
}
BENCHMARK(BM_PublicIdThereAndBack);

}  // namespace
}  // namespace engine::kalshi
