#include <rapidjson/document.h>
#include <rapidjson/error/en.h>

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
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

Encoded EncodeDefinition(JsonFields& fields) {
  ASSIGN_OR_RETURN(const engine::MarketDefinition market, TakeMarketDefinition(fields));
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
  if (name == "definition") return EncodeDefinition(fields);
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
  const rapidjson::Value& object = document;
  for (const auto& member : object.GetObject()) {
    std::string name(TextOf(member.name));
    if (member.value.IsObject()) {
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
  ASSIGN_OR_RETURN(engine::ParsedCommand parsed, ParseCommandFields(fields, markets));
  // Attachment bytes, if given, take precedence over the values.
  if (parsed.attachment.empty()) parsed.attachment = std::move(attachment);
  return parsed;
}

}  // namespace

CommandLines MakeJsonLines() { return ParseLine; }

}  // namespace tools
