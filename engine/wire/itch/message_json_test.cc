#include "engine/wire/itch/message_json.h"

#include <cstddef>
#include <fstream>
#include <iterator>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "engine/base/bytes.h"
#include "engine/types/side.h"
#include "engine/wire/itch/message_type.h"
#include "engine/wire/itch/messages.h"
#include "engine/wire/itch/stream_reader.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

std::string Json(const ItchMessage& message) {
  std::string json;
  AppendItchJson(message, json);
  return json;
}

TEST(ItchJson, HasTheMembersOfTheStruct) {
  EXPECT_EQ(
      Json(ItchOrderCancel{
          .header = {.stock_locate = 13, .tracking_number = 2, .timestamp_ns = 34'200'000'000'000},
          .order_reference = 17,
          .cancelled_shares = 34}),
      R"({"type":"X","stock_locate":13,"tracking_number":2,"timestamp_ns":34200000000000,)"
      R"("order_reference":17,"cancelled_shares":34})");
  EXPECT_EQ(Json(ItchAddOrder{.header = {},
                              .order_reference = UINT64_MAX,
                              .side = Side::kAsk,
                              .shares = 1,
                              .stock = {'A', 'A', 'P', 'L', ' ', ' ', ' ', ' '},
                              .price = UINT32_MAX}),
            R"({"type":"A","stock_locate":0,"tracking_number":0,"timestamp_ns":0,)"
            R"("order_reference":18446744073709551615,"side":"S","shares":1,"stock":"AAPL",)"
            R"("price":4294967295})");
}

TEST(ItchJson, EscapesAnyByte) {
  EXPECT_TRUE(absl::EndsWith(
      Json(ItchRegShoRestriction{.header = {},
                                 .stock = {'"', '\\', '\0', '\n', '\x7f', '\xff', '/', ' '},
                                 .reg_sho_action = ' '}),
      R"("stock":"\u0022\u005c\u0000\u000a\u007f\u00ff/","reg_sho_action":""})"));
}

TEST(ItchJson, HasEachType) {
  std::ifstream file("testdata/itch/feedforge/all23_types_framed.itch", std::ios::binary);
  const std::string stream(std::istreambuf_iterator<char>(file), {});
  ItchStreamReader reader;
  reader.Feed(AsBytes(stream));
  ItchMessage message;
  for (const ItchType& type : kItchTypes) {
    const auto more = reader.Next(message);
    ASSERT_TRUE(more.ok() && *more) << more.status();
    const std::string json = Json(message);
    EXPECT_TRUE(absl::StartsWith(
        json, absl::StrCat("{\"type\":\"", std::string(1, type.letter), "\",\"stock_locate\":")))
        << json;
    EXPECT_TRUE(absl::StrContains(json, R"("tracking_number":772,"timestamp_ns":84281096,)"))
        << json;
  }
}

}  // namespace
}  // namespace engine
