#include "engine/messages/market_definition_codec.h"

#include "absl/status/status.h"
#include "engine/base/prng.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

MarketDefinition Sample() {
  return {.id = MarketId(7),
          .symbol = "AAPL",
          .price_decimals = 4,
          .quantity_decimals = 2,
          .tick = Price::FromUnits(100),
          .price_min = Price::FromUnits(-200),
          .price_max = Price::FromUnits(300),
          .lot = Quantity::FromUnits(5)};
}

TEST(MarketDefinitionCodec, ReadsWhatItWrites) {
  EXPECT_EQ(DecodeMarketDefinition(EncodeMarketDefinition(Sample())).value(), Sample());
}

// The bytes are in journals and in log digests: pinned.
TEST(MarketDefinitionCodec, Bytes) {
  EXPECT_EQ(ToHex(EncodeMarketDefinition(Sample())),
            "0000000005000100"    // A struct of five data words and one pointer:
            "0700000004020000"    // id 7, 4 and 2 decimals,
            "6400000000000000"    // tick 100,
            "38ffffffffffffff"    // from -200
            "2c01000000000000"    // to 300,
            "0500000000000000"    // lot 5,
            "010000002a000000"    // and a text of five bytes:
            "4141504c00000000");  // "AAPL".
}

// Each flag is a bit of its own, and none changes the bytes of definitions that lack it.
TEST(MarketDefinitionCodec, FlagsAreBitsOfTheWordOfKindAndDecimals) {
  const auto byte_of = [](bool MarketDefinition::*flag) {
    MarketDefinition definition = Sample();
    definition.*flag = true;
    const std::vector<std::byte> bytes = EncodeMarketDefinition(definition);
    EXPECT_EQ(DecodeMarketDefinition(bytes).value(), definition);
    return ToHex(Bytes(bytes).subspan(8, 8));
  };
  EXPECT_EQ(byte_of(&MarketDefinition::starts_unopened), "0700000004020001");
  EXPECT_EQ(byte_of(&MarketDefinition::fok_becomes_ioc), "0700000004020002");
  EXPECT_EQ(byte_of(&MarketDefinition::post_only_change_cancels), "0700000004020004");
}

TEST(MarketDefinitionCodec, ReadsFromAnyAlignment) {
  std::vector<std::byte> bytes = EncodeMarketDefinition(Sample());
  bytes.insert(bytes.begin(), std::byte{0});
  EXPECT_EQ(DecodeMarketDefinition(Bytes(bytes).subspan(1)).value(), Sample());
}

TEST(MarketDefinitionCodec, RefusesUnsoundDefinitions) {
  MarketDefinition unsound = Sample();
  unsound.lot = Quantity();
  EXPECT_EQ(DecodeMarketDefinition(EncodeMarketDefinition(unsound)).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(MarketDefinitionCodec, EveryTruncationAndEveryBitFlipIsReadSafely) {
  const std::vector<std::byte> sound = EncodeMarketDefinition(Sample());
  for (size_t length = 0; length < sound.size(); ++length) {
    EXPECT_FALSE(DecodeMarketDefinition(Bytes(sound).first(length)).ok()) << length;
  }
  for (size_t bit = 0; bit < sound.size() * 8; ++bit) {
    std::vector<std::byte> flipped = sound;
    flipped[bit / 8] ^= std::byte{1} << (bit % 8);
    const auto decoded = DecodeMarketDefinition(flipped);
    EXPECT_TRUE(!decoded.ok() || Validate(*decoded).ok()) << bit;
  }
}

TEST(MarketDefinitionCodec, RandomBytesAreReadSafely) {
  Prng prng(1);
  for (int round = 0; round < 10'000; ++round) {
    std::vector<std::byte> bytes(8 * prng.Below(20));
    for (std::byte& byte : bytes) byte = std::byte(prng.Chance(60) ? 0 : prng.Below(256));
    const auto decoded = DecodeMarketDefinition(bytes);
    EXPECT_TRUE(!decoded.ok() || Validate(*decoded).ok());
  }
  EXPECT_FALSE(DecodeMarketDefinition(std::vector<std::byte>(1 << 20)).ok());
}

}  // namespace
}  // namespace engine
