#include "tools/feed/feed_decoder.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/prng.h"
#include "engine/messages/book_update.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "engine/wire/add_cancel/messages.h"
#include "engine/wire/itch/encoder.h"
#include "engine/wire/itch/messages.h"
#include "engine/wire/mold/testing/packets.h"
#include "gtest/gtest.h"
#include "tools/feed/book_keeper.h"
#include "tools/feed/feed_ring.h"
#include "tools/feed/feed_symbols.h"
#include "tools/feed/feed_tape.h"
#include "tools/os/measuring.h"

namespace tools {
namespace {

using engine::AsBytes;

constexpr engine::ItchStock kStock = {'A', 'B', 'C', ' ', ' ', ' ', ' ', ' '};

std::string Frame(const engine::ItchMessage& message) {
  std::string frame;
  engine::AppendItchFrame(message, frame);
  return frame;
}

std::string Add(uint64_t reference, uint32_t price = 100) {
  return Frame(engine::ItchAddOrder{.header = {.stock_locate = 7},
                                    .order_reference = reference,
                                    .side = engine::Side::kBid,
                                    .shares = 5,
                                    .stock = kStock,
                                    .price = price});
}

std::string Delete(uint64_t reference) {
  return Frame(
      engine::ItchOrderDelete{.header = {.stock_locate = 7}, .order_reference = reference});
}

std::string Directory() {
  return Frame(engine::ItchStockDirectory{.header = {.stock_locate = 7}, .stock = kStock});
}

class FeedDecoderTest : public ::testing::Test {
 protected:
  // Applies all that waits.
  void Drain() {
    while (keeper_.Turn() > 0) {
    }
  }

  FeedRing ring_{4};
  FeedSymbols symbols_;
  FeedTape tape_{1'000};
  FeedDecoder decoder_{ring_, symbols_, &tape_, [this] { Drain(); }};
  BookKeeper keeper_{ring_, TickClock::Calibrate(), 1'000};
};

TEST_F(FeedDecoderTest, ManyMessagesPassThroughASmallRing) {
  std::string framed = Directory();
  for (uint64_t reference = 1; reference <= 100; ++reference) framed += Add(reference);
  for (uint64_t reference = 1; reference <= 99; ++reference) framed += Delete(reference);
  decoder_.Clear();
  decoder_.TakeItch(AsBytes(framed));
  Drain();
  EXPECT_EQ(keeper_.books().order_count(), 1u);
  EXPECT_EQ(keeper_.books().best(7, engine::Side::kBid)->quantity, engine::Quantity::FromUnits(5));
  EXPECT_EQ(decoder_.counters().updates, 200u);
  EXPECT_GT(decoder_.counters().ring_full, 0u);
  EXPECT_EQ(symbols_.Find("ABC"), 7);
  EXPECT_EQ(symbols_.Find("AB"), std::nullopt);
  // The first one and each sixteenth after it are measured, of 199; Clear is none of them.
  EXPECT_EQ(keeper_.latencies().total.count(), 13u);
}

TEST_F(FeedDecoderTest, ClearBeginsWithEmptyBooksAndNoSymbols) {
  decoder_.TakeItch(AsBytes(Directory() + Add(1)));
  decoder_.Clear();
  decoder_.TakeItch(AsBytes(Add(1, 200)));
  Drain();
  EXPECT_EQ(keeper_.books().order_count(), 1u);
  EXPECT_EQ(keeper_.books().best(7, engine::Side::kBid)->price, engine::Price::FromUnits(200));
  EXPECT_EQ(symbols_.size(), 0u);
  const std::vector<FeedTape::Part> parts = tape_.Take();
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_FALSE(parts[0].begins_again);
  EXPECT_EQ(parts[0].framed, Directory() + Add(1));
  EXPECT_TRUE(parts[1].begins_again);
  EXPECT_EQ(parts[1].framed, Add(1, 200));
  EXPECT_TRUE(tape_.Take().empty());
}

TEST_F(FeedDecoderTest, AMalformedMessageIsLeftOutAlone) {
  std::string bad_side = Add(2);
  bad_side[2 + 1 + sizeof(engine::ItchHeader) + 8] = 'X';
  const std::string short_delete = engine::Framed({"D1"});
  decoder_.TakeItch(AsBytes(Add(1) + bad_side + short_delete + Add(3)));
  Drain();
  EXPECT_EQ(keeper_.books().order_count(), 2u);
  EXPECT_EQ(decoder_.counters().malformed, 2u);
  EXPECT_FALSE(decoder_.first_error().ok());
}

TEST_F(FeedDecoderTest, UnknownAndEmptyMessagesArePassedBy) {
  decoder_.TakeItch(AsBytes(engine::Framed({"", "z", "R"}) + Add(1)));
  Drain();
  EXPECT_EQ(keeper_.books().order_count(), 1u);
  EXPECT_EQ(decoder_.counters().malformed, 0u);
}

TEST_F(FeedDecoderTest, AFullTapeStaysFull) {
  for (uint64_t reference = 1; reference <= 100; ++reference) {
    decoder_.TakeItch(AsBytes(Add(reference)));
  }
  EXPECT_TRUE(tape_.is_full());
  (void)tape_.Take();
  decoder_.TakeItch(AsBytes(Add(101)));
  EXPECT_TRUE(tape_.Take().empty());
}

TEST_F(FeedDecoderTest, AddCancelIsOneMessageADatagram) {
  const auto message = [](const engine::BookUpdate& update) {
    return std::string(engine::AsText(engine::AddCancelMessage::From(update)->bytes()));
  };
  const std::string add = message({.reference = 1,
                                   .price = engine::Price::FromUnits(10),
                                   .quantity = engine::Quantity::FromUnits(2),
                                   .side = engine::Side::kAsk});
  decoder_.TakeAddCancel(AsBytes(add));
  decoder_.TakeAddCancel(AsBytes("junk"));
  decoder_.TakeAddCancel(AsBytes(""));
  decoder_.TakeAddCancel(AsBytes(add + add));
  Drain();
  EXPECT_EQ(keeper_.books().order_count(), 1u);
  EXPECT_EQ(decoder_.counters().malformed, 3u);
  EXPECT_EQ(tape_.Take().at(0).framed, engine::Framed({add}));
  decoder_.TakeAddCancel(
      AsBytes(message({.reference = 1, .kind = engine::BookUpdateKind::kDelete})));
  Drain();
  EXPECT_EQ(keeper_.books().order_count(), 0u);
}

TEST_F(FeedDecoderTest, AnyMessagesAreSafe) {
  engine::Prng prng(1);
  for (int i = 0; i < 2'000; ++i) {
    std::vector<std::string> messages;
    const uint64_t count = prng.Below(5);
    for (uint64_t k = 0; k < count; ++k) {
      std::string message = Add(prng.Below(50)).substr(2);
      const uint64_t place = prng.Below(message.size());
      message[place] = static_cast<char>(prng.Below(256));
      message.resize(prng.Below(message.size() + 1));
      messages.push_back(message);
    }
    decoder_.TakeItch(AsBytes(engine::Framed(messages)));
    decoder_.TakeAddCancel(AsBytes(engine::Framed(messages)));
  }
  Drain();
}

}  // namespace
}  // namespace tools
