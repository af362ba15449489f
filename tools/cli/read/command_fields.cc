#include <cstdint>
#include <string>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "engine/messages/fields.h"
#include "engine/messages/filter.h"
#include "tools/cli/read/message_forms.h"

namespace tools {

using engine::FieldText;
using engine::FieldType;

absl::StatusOr<std::vector<std::string>> ParseFieldNames(absl::string_view text) {
  const std::vector<absl::string_view> known = engine::FieldNames(engine::Messages::kCommands);
  std::vector<std::string> names;
  for (const absl::string_view name : absl::StrSplit(text, ',')) {
    if (!absl::c_linear_search(known, name)) {
      return absl::InvalidArgumentError(
          absl::StrCat("'", name, "' is not a field; expected ", absl::StrJoin(known, ", ")));
    }
    names.emplace_back(name);
  }
  return names;
}

void AppendField(absl::string_view name, const engine::Command& command, engine::Bytes attachment,
                 const engine::MarketDirectory& markets, std::string& out) {
  const engine::Field* field = engine::FindField(name, engine::FieldsOf(command));
  if (name == "attachment" && !attachment.empty()) {
    out += engine::ToHex(attachment);
  } else if (field == nullptr ||
             (field->Get(command) == 0 && name != "sequence" && name != "time" && name != "kind")) {
    out += "-";
  } else {
    out += FieldText(field->type, field->Get(command), markets.Find(command.market));
  }
}

std::string PriceText(engine::Price price, const engine::MarketDefinition* market) {
  return FieldText(FieldType::kPrice, static_cast<uint64_t>(price.units()), market);
}

std::string QuantityText(engine::Quantity quantity, const engine::MarketDefinition* market) {
  return FieldText(FieldType::kQuantity, quantity.units(), market);
}

std::string MarketText(engine::MarketId id, const engine::MarketDefinition* market) {
  return FieldText(FieldType::kMarket, id.value(), market);
}

}  // namespace tools
