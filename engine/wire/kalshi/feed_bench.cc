// Measures how a client reads deltas of the feed: by the fast path, by the general path, and how
// long simdjson's On-Demand takes to find the same members, without making values of them. The
// label is the digest of what was read, the same in every run.

#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "engine/base/digest.h"
#include "engine/wire/kalshi/channel_messages.h"
#include "engine/wire/kalshi/feed_frame.h"
#include "engine/wire/kalshi/frames.h"
#include "engine/wire/kalshi/testing/delta_texts.h"
#include "simdjson.h"

namespace engine::kalshi {
namespace {

constexpr MarketName kMarket = {.ticker = "KXBTCD-26NOV2017-T97249.99",
                                .id = "9df498fd-1ffe-833c-b2d6-14a55c96b914"};
constexpr size_t kFrames = 1024;

// Frames of 254 to 257 bytes, as a venue sends them; prices, counts and times vary.
std::vector<std::string> Frames() {
  std::vector<std::string> frames(kFrames);
  for (size_t n = 0; n < kFrames; ++n) {
    const auto i = static_cast<int64_t>(n);
    const OrderbookDelta delta = {
        .market = kMarket,
        .side = i % 2 == 0 ? Side::kBid : Side::kAsk,
        .price = Price::FromUnits(100 + i * 9 % 9'800),
        .change = Count::FromHundredths(100 * (i % 100) - 5'000),
        .time = Timestamp::FromNanos(1'781'159'489'957'081'000 + i * 1'003'000)};
    std::string msg;
    JsonWriter json(msg);
    Write(delta, BookForm(), json);
    AppendFrame(FrameType::kOrderbookDelta, {.sid = 1, .seq = 123'456 + i}, msg, frames[n]);
  }
  return frames;
}

void Finish(benchmark::State& state, absl::string_view read) {
  state.SetLabel(DigestOf(AsBytes(read)).ToString());
  state.SetItemsProcessed(state.iterations());
}

// Decodes by `decode`(decoder, bytes, frame).
template <typename Decode>
void Measure(benchmark::State& state, Decode decode) {
  const std::vector<std::string> frames = Frames();
  FeedDecoder decoder(/*use_yes_price=*/false);
  FeedFrame frame;
  size_t i = 0;
  for (const auto _ : state) {
    CHECK(decode(decoder, frames[i++ % kFrames], frame).ok());
    benchmark::DoNotOptimize(frame.levels.data());
  }
  std::string read;
  for (const std::string& bytes : frames) {
    CHECK(decode(decoder, bytes, frame).ok());
    const FeedLevel& level = frame.levels.front();
    absl::StrAppend(&read, frame.ticker, " ", level.price.units(), " ", level.count.hundredths(),
                    " ", frame.time.nanos(), "\n");
  }
  Finish(state, read);
}

void BM_Decode(benchmark::State& state) {
  Measure(state, [](FeedDecoder& decoder, absl::string_view bytes, FeedFrame& frame) {
    return decoder.Decode(bytes, frame);
  });
}
BENCHMARK(BM_Decode);

void BM_DecodeWithoutFastPath(benchmark::State& state) {
  Measure(state, [](FeedDecoder& decoder, absl::string_view bytes, FeedFrame& frame) {
    return decoder.DecodeAny(bytes, frame);
  });
}
BENCHMARK(BM_DecodeWithoutFastPath);

// The frames are padded already, as simdjson requires; a client's would be copied first.
void BM_OnDemandAlone(benchmark::State& state) {
  std::vector<simdjson::padded_string> frames;
  for (const std::string& bytes : Frames()) frames.emplace_back(bytes);
  simdjson::ondemand::parser parser;
  simdjson::ondemand::document document;
  DeltaTexts texts;
  size_t i = 0;
  for (const auto _ : state) {
    CHECK(FindDeltaTexts(parser, frames[i++ % kFrames], document, texts));
    benchmark::DoNotOptimize(texts.time.data());
  }
  std::string read;
  for (const simdjson::padded_string& bytes : frames) {
    CHECK(FindDeltaTexts(parser, bytes, document, texts));
    for (const std::string_view text : {texts.ticker, texts.price, texts.count, texts.time}) {
      absl::StrAppend(&read, absl::string_view(text.data(), text.size()), " ");
    }
  }
  Finish(state, read);
}
BENCHMARK(BM_OnDemandAlone);

}  // namespace
}  // namespace engine::kalshi
