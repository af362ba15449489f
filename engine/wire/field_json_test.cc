#include "engine/wire/field_json.h"

#include <array>
#include <string>

#include "engine/wire/big_endian.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

TEST(FieldJson, HasNumbersTextsAndCodes) {
  std::string out;
  FieldJson json(out);
  json.Put("shares", BigEndianInteger<uint32_t>(4'000'000'000));
  json.Put("stock", std::array<char, 8>{'A', 'C', ' ', 'M', 'E', ' ', ' ', ' '});
  json.Put("side", 'B');
  json.Put("blank", ' ');
  EXPECT_EQ(out, R"(,"shares":4000000000,"stock":"AC ME","side":"B","blank":"")");
}

TEST(FieldJson, AnyByteIsValidJson) {
  std::string out;
  FieldJson(out).Put("text", std::array<char, 6>{'"', '\\', '\0', '\x1b', '\xff', '/'});
  EXPECT_EQ(out, R"(,"text":"\u0022\u005c\u0000\u001b\u00ff/")");
}

}  // namespace
}  // namespace engine
