#include <rapidjson/document.h>
#include <rapidjson/error/en.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/status_macros.h"
#include "engine/messages/account_codecs.h"
#include "engine/messages/market_definition_codec.h"
#include "engine/messages/note_codec.h"
#include "engine/types/fee_schedule.h"
#include "engine/types/market_definition.h"
#include "engine/types/note.h"
#include "engine/types/risk_limits.h"
#include "tools/cli/base/field_error.h"
#include "tools/cli/base/json_fields.h"
#include "tools/cli/base/json_text.h"
#include "tools/cli/record/command_lines.h"

namespace tools {
namespace {

absl::string_view TextOf(const rapidjson::Value& value) {
  return {value.GetString(), value.GetStringLength()};
}

using Encoded = absl::StatusOr<std::vector<std::byte>>;

// Also adds the market_id that `fields` lack.
Encoded EncodeDefinition(const rapidjson::Value& object, NamedFields& fields) {
  JsonFields parts("definition", object);
  ASSIGN_OR_RETURN(const engine::MarketDefinition market, TakeMarketDefinition(parts));
  const auto id = std::ranges::find(fields, "market_id", &NamedFields::value_type::first);
  if (id == fields.end()) {
    fields.emplace_back("market_id", absl::StrCat(market.id.value()));
  } else if (id->second.empty()) {
    id->second = absl::StrCat(market.id.value());
  }
  return engine::EncodeMarketDefinition(market);
}

Encoded EncodeLimits(JsonFields& fields) {
  ASSIGN_OR_RETURN(const engine::RiskLimits limits, TakeRiskLimits(fields));
  return engine::EncodeRiskLimits(limits);
}

Encoded EncodeFees(JsonFields& fields) {
  engine::FeeSchedule fees;
  fields.Number("taker_coefficient", fees.taker_coefficient);
  fields.Number("maker_coefficient", fees.maker_coefficient);
  fields.Number("multiplier", fees.multiplier);
  RETURN_IF_ERROR(fields.Finish());
  return engine::EncodeFeeSchedule(fees);
}

Encoded EncodeNoteOf(JsonFields& fields) {
  engine::Note note;
  note.name_space = fields.Text("namespace");
  fields.Number("version", note.version);
  const std::string bytes = fields.Text("bytes");
  RETURN_IF_ERROR(fields.Finish());
  ASSIGN_OR_RETURN(note.bytes, ParseHexField("note.bytes", bytes));
  return engine::EncodeNote(note);
}

Encoded EncodePart(const std::string& name, const rapidjson::Value& object) {
  JsonFields fields(name, object);
  if (name == "limits") return EncodeLimits(fields);
  if (name == "fees") return EncodeFees(fields);
  if (name == "note") return EncodeNoteOf(fields);
  return FieldError(name, "{...}", "a number or a text");
}

absl::StatusOr<std::optional<engine::ParsedCommand>> ParseLine(
    absl::string_view line, const engine::MarketDirectory& markets) {
  if (line.empty()) return std::nullopt;
  rapidjson::Document document;
  document.Parse<kJsonParseFlags>(line.data(), line.size());
  if (document.HasParseError()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "column ", document.GetErrorOffset() + 1, ": ",
        rapidjson::GetParseError_En(document.GetParseError()), " Expected one JSON object"));
  }
  if (!document.IsObject()) {
    return absl::InvalidArgumentError("the line is not a JSON object, expected {...}");
  }
  NamedFields fields;
  std::vector<std::byte> attachment;
  const rapidjson::Value* definition = nullptr;
  const rapidjson::Value& object = document;
  for (const auto& member : object.GetObject()) {
    std::string name(TextOf(member.name));
    if (member.value.IsObject() && name == "definition") {
      definition = &member.value;
    } else if (member.value.IsObject()) {
      ASSIGN_OR_RETURN(attachment, EncodePart(name, member.value));
    } else if (member.value.IsString()) {
      if (name == "schema" && TextOf(member.value) != "ticktape.command/1") {
        return FieldError(name, TextOf(member.value), "ticktape.command/1");
      }
      fields.emplace_back(std::move(name), TextOf(member.value));
    } else {
      return FieldError(name, "", "a number or a text");
    }
  }
  if (definition != nullptr) {
    ASSIGN_OR_RETURN(attachment, EncodeDefinition(*definition, fields));
  }
  ASSIGN_OR_RETURN(engine::ParsedCommand parsed, ParseCommandFields(fields, markets));
  // Attachment bytes, if given, take precedence over the values.
  if (parsed.attachment.empty()) parsed.attachment = std::move(attachment);
  return parsed;
}

}  // namespace

absl::StatusOr<std::vector<std::byte>> TakeDefinitionColumns(NamedFields& fields) {
  rapidjson::Document definition(rapidjson::kObjectType);
  for (const auto& [name, text] : fields) {
    if (text.empty() || !absl::StartsWith(name, kDefinitionPrefix)) continue;
    auto& allocator = definition.GetAllocator();
    const auto value_of = [&](absl::string_view part) {
      return rapidjson::Value(part.data(), static_cast<rapidjson::SizeType>(part.size()),
                              allocator);
    };
    definition.AddMember(value_of(absl::string_view(name).substr(kDefinitionPrefix.size())),
                         value_of(text), allocator);
  }
  std::erase_if(fields,
                [](const auto& field) { return absl::StartsWith(field.first, kDefinitionPrefix); });
  if (definition.ObjectEmpty()) return std::vector<std::byte>();
  return EncodeDefinition(definition, fields);
}

CommandLines MakeJsonLines() { return ParseLine; }

}  // namespace tools
