// JSON and CSV say everything that the text form says, for all kinds and fields.

#include "tools/cli/read/message_forms.h"

#include <rapidjson/document.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "engine/messages/event.h"
#include "engine/messages/fields.h"
#include "engine/messages/market_directory.h"
#include "engine/messages/text.h"
#include "engine/types/ids.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "gtest/gtest.h"
#include "tools/cli/base/csv.h"

namespace tools {
namespace {

using engine::Event;
using engine::EventKind;

using Fields = std::vector<std::pair<std::string, std::string>>;

// name=value of a line of the text form, after its number and verb.
Fields FieldsOf(absl::string_view line) {
  Fields fields;
  for (const absl::string_view word : absl::StrSplit(line, ' ')) {
    if (word.find('=') == absl::string_view::npos) continue;
    fields.push_back(absl::StrSplit(word, absl::MaxSplits('=', 1)));
  }
  return fields;
}

// The member as text; empty where it is not there.
std::string Member(const rapidjson::Document& object, const std::string& name) {
  const auto found = object.FindMember(name.c_str());
  if (found == object.MemberEnd()) return "";
  const rapidjson::Value& value = found->value;
  if (value.IsString()) return value.GetString();
  return value.IsUint64() ? absl::StrCat(value.GetUint64()) : absl::StrCat(value.GetInt64());
}

// As the text form says it: '#' stands before a number of units.
void ExpectInJson(const std::string& json, const Fields& fields) {
  rapidjson::Document object;
  object.Parse(json.data(), json.size());
  ASSERT_FALSE(object.HasParseError()) << json;
  for (const auto& [name, value] : fields) {
    const bool is_units = value.front() == '#';
    const std::string member = is_units && name == "market" ? "market_id"
                               : is_units                   ? absl::StrCat(name, "_units")
                                                            : name;
    EXPECT_EQ(Member(object, member), is_units ? value.substr(1) : value) << name << ": " << json;
  }
}

std::string ColumnOf(const std::string& field, const Event& event) {
  if (field == "orders") return "quantity_units";
  if (field == "limit") return "quantity";
  if (field == engine::FieldsOf(event).back().name) return "detail";
  return field;
}

void ExpectInCsv(absl::string_view row, const Fields& fields, const Event& event) {
  const std::vector<std::string> names = absl::StrSplit(kEventCsvHeader, ',');
  const std::vector<std::string> cells = absl::StrSplit(row.substr(0, row.size() - 1), ',');
  ASSERT_EQ(names.size(), cells.size()) << row;
  const auto cell = [&](const std::string& name) {
    for (size_t i = 0; i < names.size(); ++i) {
      if (names[i] == name) return cells[i];
    }
    return absl::StrCat("there is no column ", name);
  };
  for (const auto& [name, value] : fields) {
    const bool is_units = value.front() == '#';
    const std::string column = is_units && name == "market" ? "market_id"
                               : is_units ? absl::StrCat(ColumnOf(name, event), "_units")
                                          : ColumnOf(name, event);
    EXPECT_EQ(cell(column), is_units ? value.substr(1) : value) << name << ": " << row;
  }
}

// Every subset of the fields, so that none is written only beside another.
TEST(MessageFormsTest, JsonAndCsvHaveEveryFieldOfEveryKindOfEvent) {
  engine::MarketDirectory markets;
  ASSERT_TRUE(markets.Add(
      {.id = engine::MarketId(7), .symbol = "RAIN", .price_decimals = 4, .quantity_decimals = 2}));
  const engine::MessageText text(markets);
  const auto time = engine::Timestamp::FromNanos(1);
  const int last_kind = static_cast<int>(engine::kLastEventKind) + 1;  // One without a name.
  for (int kind = 1; kind <= last_kind; ++kind) {
    for (unsigned there = 0; there < 512; ++there) {
      const auto has = [there](int bit) { return (there >> bit & 1) != 0; };
      Event event;
      event.sequence = engine::SequenceNumber(3);
      event.market = engine::MarketId(has(0) ? 7 : 9);
      event.kind = static_cast<EventKind>(kind);
      if (has(1)) event.order_id = engine::OrderId(11);
      if (has(2)) event.counter_order_id = engine::OrderId(12);
      if (has(3)) event.price = engine::Price::FromUnits(-13);
      if (has(4)) event.quantity = engine::Quantity::FromUnits(14);
      if (has(5)) event.quantity_remaining = engine::Quantity::FromUnits(15);
      if (has(6)) event.account = engine::AccountId(16);
      if (has(7)) event.side = engine::Side::kAsk;
      if (has(8)) event.detail = 2;
      const std::string line = text.Format(event);
      SCOPED_TRACE(line);
      Fields fields = FieldsOf(line);
      ExpectInJson(EventJson(event, time, markets), fields);
      CsvRow row;
      WriteEvent(row, event, time, markets);
      ExpectInCsv(row.Finish(), fields, event);
      if (HasFailure()) return;
    }
  }
}

}  // namespace
}  // namespace tools
