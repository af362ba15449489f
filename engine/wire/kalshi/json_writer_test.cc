#include "engine/wire/kalshi/json_writer.h"

#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "rapidcheck/gtest.h"
#include "simdjson.h"

namespace engine::kalshi {
namespace {

std::string Quoted(absl::string_view text) {
  std::string out;
  AppendJsonString(text, out);
  return out;
}

TEST(JsonWriterTest, WritesObjectsAndArraysCompactly) {
  std::string out = "before ";
  JsonWriter json(out);
  json.BeginObject().Text("a", "x").BeginArray("b").Text("y").Integer(-2).BeginArray().EndArray();
  json.BeginObject().EndObject().EndArray().BeginObject("c").Boolean("t", true).Boolean("f", false);
  json.Null("n").EndObject().Integer("d", 7).EndObject();
  EXPECT_EQ(out, R"(before {"a":"x","b":["y",-2,[],{}],"c":{"t":true,"f":false,"n":null},"d":7})");
}

TEST(JsonWriterTest, WritesNumbersAsKalshiDoes) {
  std::string out;
  JsonWriter json(out);
  json.BeginObject()
      .Count("count", Count::FromHundredths(1'000))
      .Price("price", Price::FromUnits(5'600))
      .Money("cost", Money::FromMicros(17'500))
      .Balance("balance", Money::FromMicros(98'018'600))
      .Time("time", Timestamp::FromNanos(1'500'000'000))
      .BeginArray("level")
      .Price(Price::FromUnits(1))
      .Count(Count::FromHundredths(-1))
      .EndArray()
      .EndObject();
  EXPECT_EQ(out, R"({"count":"10.00","price":"0.5600","cost":"0.017500","balance":"98.0186",)"
                 R"("time":"1970-01-01T00:00:01.5Z","level":["0.0001","-0.01"]})");
}

TEST(JsonWriterTest, WritesMillionthsAsANumber) {
  std::string out;
  JsonWriter json(out);
  json.BeginObject().Millionths("a", 70'000).Millionths("b", 1'000'000).Millionths("c", -500'000);
  json.Millionths("d", 0).Millionths("e", 100'000'000).EndObject();
  EXPECT_EQ(out, R"({"a":0.07,"b":1,"c":-0.5,"d":0,"e":100})");
}

TEST(JsonWriterTest, LeavesOutWhatIsEmpty) {
  std::string out;
  JsonWriter json(out);
  json.BeginObject().TextIfAny("a", "").CountIfAny("b", std::nullopt).PriceIfAny("c", std::nullopt);
  json.IntegerIfAny("d", std::nullopt).TimeIfAny("e", std::nullopt).TextOrNull("f", "");
  json.TimeOrNull("g", std::nullopt).TextIfAny("h", "x").CountIfAny("i", Count());
  json.PriceIfAny("j", Price()).IntegerIfAny("k", 0).TextOrNull("l", "y").EndObject();
  EXPECT_EQ(out, R"({"f":null,"g":null,"h":"x","i":"0.00","j":"0.0000","k":0,"l":"y"})");
}

TEST(JsonWriterTest, TakesKeysOfAnyLength) {
  std::string out;
  const std::string key(100, 'k');
  JsonWriter(out).BeginObject().Integer("a", 1).Integer(key, 2).Integer("b", 3).EndObject();
  EXPECT_EQ(out, absl::StrCat(R"({"a":1,")", key, R"(":2,"b":3})"));
}

TEST(JsonWriterTest, EscapesWhatJsonForbids) {
  EXPECT_EQ(Quoted("plain"), R"("plain")");
  EXPECT_EQ(Quoted("a\"b\\c\n\r\t\x01\x1f/"), R"("a\"b\\c\n\r\t\u0001\u001f/")");
  EXPECT_EQ(Quoted(absl::string_view("\0", 1)), R"("\u0000")");
  EXPECT_EQ(Quoted("\x7f"), "\"\x7f\"");
}

TEST(JsonWriterTest, KeepsUtf8AndReplacesOtherBytes) {
  for (const char* text : {"\xC2\x80", "\xC3\xA9", "\xE0\xA0\x80", "\xED\x9F\xBF", "\xEF\xBF\xBF",
                           "\xF0\x90\x80\x80", "\xF4\x8F\xBF\xBF"}) {
    EXPECT_EQ(Quoted(text), absl::StrCat("\"", text, "\""));
  }
  const std::string bad = "\xEF\xBF\xBD";
  EXPECT_EQ(Quoted("a\x80z"), absl::StrCat("\"a", bad, "z\""));
  EXPECT_EQ(Quoted("\xC3"), absl::StrCat("\"", bad, "\""));
  EXPECT_EQ(Quoted("\xC0\xAF"), absl::StrCat("\"", bad, bad, "\""));
  EXPECT_EQ(Quoted("\xE0\x9F\xBF"), absl::StrCat("\"", bad, bad, bad, "\""));
  EXPECT_EQ(Quoted("\xED\xA0\x80"), absl::StrCat("\"", bad, bad, bad, "\""));
  EXPECT_EQ(Quoted("\xF0\x8F\xBF\xBF"), absl::StrCat("\"", bad, bad, bad, bad, "\""));
  EXPECT_EQ(Quoted("\xF4\x90\x80\x80"), absl::StrCat("\"", bad, bad, bad, bad, "\""));
  EXPECT_EQ(Quoted("\xF5z"), absl::StrCat("\"", bad, "z\""));
}

// A parser of another project reads every string, and reads the same one if it was UTF-8.
RC_GTEST_PROP(JsonWriterProperty, AnyBytesAreAString, (const std::string& bytes)) {
  const std::string written = Quoted(bytes);
  simdjson::dom::parser parser;
  std::string_view read;
  RC_ASSERT(parser.parse(written).get_string().get(read) == simdjson::SUCCESS);
  if (simdjson::validate_utf8(bytes)) RC_ASSERT(read == bytes);
  RC_ASSERT(simdjson::validate_utf8(written));
}

}  // namespace
}  // namespace engine::kalshi
