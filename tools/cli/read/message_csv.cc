#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "engine/messages/fields.h"
#include "engine/types/market_definition.h"
#include "tools/cli/read/message_forms.h"

namespace tools {
namespace {

using engine::EventWord;
using engine::Field;
using engine::FieldType;
using engine::MarketDefinition;

// Fields of some kinds that have columns of their own, in the order of the headers.
constexpr std::array<absl::string_view, 3> kCommandColumns = {"expires", "amount", "window_ns"};
constexpr std::array<absl::string_view, 3> kOrderColumns = {"maker", "taker", "from"};
constexpr std::array<absl::string_view, 7> kEventColumns = {
    "group", "change", "fee", "balance", "reserved", "position", "expires"};

void WriteText(CsvRow& row, bool is_shown, FieldType type, uint64_t bits,
               const MarketDefinition* market) {
  is_shown ? row.Field(engine::FieldText(type, bits, market)) : row.EmptyField();
}

void WriteNumber(CsvRow& row, FieldType type, uint64_t bits) {
  engine::IsSigned(type) ? row.Field(static_cast<int64_t>(bits)) : row.Field(bits);
}

// Writes the column or columns of a field of that type.
void WriteValue(CsvRow& row, FieldType type, uint64_t bits, const MarketDefinition* market) {
  const bool is_named = !engine::NamesOf(type).empty();
  switch (type) {
    case FieldType::kMarket:
    case FieldType::kPosition:
      WriteText(row, market != nullptr, type, bits, market);
      return WriteNumber(row, type, bits);
    case FieldType::kPrice:
    case FieldType::kQuantity:
      WriteText(row, market != nullptr && bits != 0, type, bits, market);
      return WriteNumber(row, type, bits);
    case FieldType::kTime:
      WriteText(row, true, type, bits, nullptr);
      return WriteNumber(row, type, bits);
    case FieldType::kMoney:
      return WriteText(row, true, type, bits, nullptr);
    default:
      return is_named ? WriteText(row, bits != 0, type, bits, nullptr)
                      : WriteNumber(row, type, bits);
  }
}

// Writes the columns that only some kinds have; empty if this message has no such field.
template <typename Message>
void WriteOwnColumns(CsvRow& row, const auto& columns, const Message& message,
                     const MarketDefinition* market) {
  const auto& fields = engine::FieldsOf(message);
  for (const absl::string_view name : columns) {
    const auto field = std::ranges::find(fields, name, &Field::name);
    if (field == fields.end()) {
      row.EmptyField();
      if (name == "position") row.EmptyField();
    } else if (field->type == FieldType::kTime) {
      WriteText(row, field->Get(message) != 0, field->type, field->Get(message), nullptr);
    } else {
      WriteValue(row, field->type, field->Get(message), market);
    }
  }
}

// Writes the columns of the orders that have a part in an event; empty if it has no such order.
void WriteParties(CsvRow& row, const engine::Event& event) {
  for (const absl::string_view name : kOrderColumns) {
    const auto& fields = engine::FieldsOf(event);
    const auto field = std::ranges::find(fields, name, &Field::name);
    const uint64_t order = field == fields.end() ? 0 : field->Get(event);
    order == 0 ? row.EmptyField() : row.Field(order);
  }
}

}  // namespace

void WriteCommand(CsvRow& row, const engine::Command& command, engine::Bytes attachment,
                  const engine::MarketDirectory& markets) {
  const MarketDefinition* market = markets.Find(command.market);
  for (const Field& field : engine::FieldsOf(engine::CommandKind())) {
    const bool is_named = !engine::NamesOf(field.type).empty();
    if (is_named && IsAlwaysThere(command, field)) {
      row.Field(engine::FieldText(field.type, field.Get(command), nullptr));
    } else {
      WriteValue(row, field.type, field.Get(command), market);
    }
  }
  WriteOwnColumns(row, kCommandColumns, command, market);
  row.Field(engine::ToHex(attachment));
}

void WriteEvent(CsvRow& row, const engine::Event& event, engine::Timestamp time,
                const engine::MarketDirectory& markets) {
  const MarketDefinition* market = markets.Find(event.market);
  const engine::EventFields& fields = engine::FieldsOf(event);
  const engine::EventFields& columns = engine::FieldsOf(engine::EventKind());
  row.Field(event.sequence.value());
  row.Field(event.index);
  row.Field(time.ToString());
  row.Field(time.nanos());
  row.Field(engine::FieldText(FieldType::kEventKind, static_cast<uint64_t>(event.kind), nullptr));
  for (size_t i = static_cast<size_t>(EventWord::kMarket); i < columns.size() - 1; ++i) {
    if (i == static_cast<size_t>(EventWord::kCounter)) {
      WriteParties(row, event);
      continue;
    }
    const bool has_own_column = std::ranges::count(kEventColumns, fields[i].name) != 0 ||
                                std::ranges::count(kOrderColumns, fields[i].name) != 0;
    WriteValue(row, columns[i].type, has_own_column ? 0 : fields[i].Get(event), market);
  }
  WriteOwnColumns(row, kEventColumns, event, market);
  WriteText(row, event.detail != 0, fields.back().type, event.detail, nullptr);
}

}  // namespace tools
