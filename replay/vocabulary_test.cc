#include "replay/vocabulary.h"

#include <algorithm>
#include <string>
#include <vector>

#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/messages/reject_reason.h"
#include "engine/types/ids.h"
#include "engine/types/price.h"
#include "gtest/gtest.h"
#include "journal/record.h"
#include "replay/command_row.h"
#include "replay/event_outputs.h"
#include "replay/exchange_vocabulary.h"
#include "replay/output.h"

namespace replay {
namespace {

using engine::Event;
using engine::EventKind;

Output OutputOf(const Event& event) { return AsOutputs({&event, 1}).front(); }

std::vector<std::string> NamesOf(const std::vector<NamedValue>& fields) {
  std::vector<std::string> names;
  for (const NamedValue& field : fields) names.push_back(field.name);
  return names;
}

TEST(UnknownVocabulary, PrintsWhatEveryRowAndOutputHas) {
  journal::Row row;
  row.sequence = engine::SequenceNumber(7);
  row.timestamp = engine::Timestamp::FromNanos(1);
  row.payload[0] = std::byte{0xab};
  const UnknownVocabulary words;
  const std::string text = words.Text(journal::Record{.row = &row, .attachment = {}});
  EXPECT_EQ(text, "7 1970-01-01T00:00:00.000000001Z payload=ab" + std::string(94, '0'));
  Output output;
  output.sequence = engine::SequenceNumber(7);
  output.index = 2;
  output.kind = 9;
  EXPECT_EQ(words.Text(output), "7.2 9 payload=" + std::string(96, '0') + " detail=0000");
}

TEST(ExchangeVocabulary, HasTheNamesOfTheEngine) {
  ExchangeVocabulary words;
  engine::Command command;
  command.sequence = engine::SequenceNumber(3);
  command.kind = engine::CommandKind::kCancel;
  command.order_id = engine::OrderId(2);
  const journal::Row row = ToRow(command);
  const journal::Record record = {.row = &row, .attachment = {}};
  EXPECT_EQ(words.RowKindName(words.KindOf(row)), "cancel");
  EXPECT_EQ(words.RowKindName(999), "999");
  const std::vector<NamedValue> fields = words.Fields(record);
  const NamedValue order = {.name = "order", .value = "2", .is_text = true};
  EXPECT_NE(std::find(fields.begin(), fields.end(), order), fields.end());

  Event refused;
  refused.kind = EventKind::kRejected;
  refused.detail = static_cast<uint8_t>(engine::RejectReason::kUnknownOrder);
  EXPECT_EQ(words.ClassOf(OutputOf(refused)), "rejected(unknown_order)");
  EXPECT_EQ(words.OutcomeName(words.OutcomeOf(row, AsOutputs({&refused, 1}))), "miss");
}

TEST(DifferingFields, AreNamedForTheKind) {
  const ExchangeVocabulary words;
  Event a;
  a.kind = EventKind::kTrade;
  Event b = a;
  EXPECT_TRUE(DifferingFields(words, OutputOf(a), OutputOf(b)).empty());
  b.order_id = engine::OrderId(5);
  b.price = engine::Price::FromUnits(7);
  const std::vector<FieldDifference> fields = DifferingFields(words, OutputOf(a), OutputOf(b));
  ASSERT_EQ(fields.size(), 2u);
  EXPECT_EQ(fields[0].field, "maker");
  EXPECT_EQ(fields[1].field, "price");
  EXPECT_EQ(fields[1].b, "7");
  b.kind = EventKind::kBalance;
  EXPECT_EQ(NamesOf(words.Fields(OutputOf(b))),
            (std::vector<std::string>{"order", "change", "fee", "balance", "reserved", "account",
                                      "market", "side", "detail"}));
}

}  // namespace
}  // namespace replay
