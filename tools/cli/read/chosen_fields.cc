#include "tools/cli/read/chosen_fields.h"

#include <algorithm>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "engine/base/status_macros.h"
#include "engine/types/order_flags.h"
#include "tools/cli/read/message_forms.h"

namespace tools {
namespace {

using Names = std::vector<absl::string_view>;

absl::StatusOr<std::vector<std::string>> ParseNames(absl::string_view text, const Names& known) {
  std::vector<std::string> names;
  for (const absl::string_view name : absl::StrSplit(text, ',')) {
    if (std::ranges::count(known, name) == 0) {
      return absl::InvalidArgumentError(absl::StrCat(
          "--fields: '", name, "' is not a field; expected ", absl::StrJoin(known, ", ")));
    }
    names.emplace_back(name);
  }
  return names;
}

// Takes one value from the beginning of `text`, up to a comma or closing bracket outside of texts
// and nested values of JSON.
absl::string_view TakeValue(absl::string_view& text) {
  bool is_quoted = false;
  int depth = 0;
  size_t at = 0;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (is_quoted) {
      if (c == '\\') ++at;
      if (c == '"') is_quoted = false;
      continue;
    }
    if (c == '"') is_quoted = true;
    if (depth == 0 && (c == ',' || c == '}')) break;
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') --depth;
  }
  const absl::string_view value = text.substr(0, at);
  text.remove_prefix(std::min(at + 1, text.size()));
  return value;
}

// The same in a row of CSV, where brackets and '\\' are ordinary.
absl::string_view TakeCell(absl::string_view& text) {
  bool is_quoted = false;
  size_t at = 0;
  for (; at < text.size() && (is_quoted || text[at] != ','); ++at) {
    if (text[at] == '"') is_quoted = !is_quoted;
  }
  const absl::string_view cell = text.substr(0, at);
  text.remove_prefix(std::min(at + 1, text.size()));
  return cell;
}

}  // namespace

absl::StatusOr<ChosenFields> ChosenFields::OfTable(absl::string_view text,
                                                   absl::string_view header) {
  const Names known = absl::StrSplit(header, ',');
  ChosenFields chosen;
  ASSIGN_OR_RETURN(chosen.names_, ParseNames(text, known));
  for (const std::string& name : chosen.names_) {
    chosen.columns_.push_back(static_cast<size_t>(std::ranges::find(known, name) - known.begin()));
  }
  return chosen;
}

absl::StatusOr<ChosenFields> ChosenFields::OfObjects(absl::string_view text,
                                                     engine::Messages messages) {
  const bool are_commands = messages == engine::Messages::kCommands;
  Names known = absl::StrSplit(are_commands ? kCommandCsvHeader : kEventCsvHeader, ',');
  const auto add = [&](absl::string_view name) {
    if (std::ranges::count(known, name) == 0) known.push_back(name);
  };
  std::erase(known, "time_ns");  // Objects have the time as text.
  for (const absl::string_view name : engine::FieldNames(messages)) add(name);
  if (are_commands) {
    for (const engine::OrderFlags::NamedBit& flag : engine::OrderFlags::kNamedBits) add(flag.name);
    for (const char* name : {"stp", "definition", "limits", "fees", "note"}) add(name);
  }
  ChosenFields chosen;
  ASSIGN_OR_RETURN(chosen.names_, ParseNames(text, known));
  return chosen;
}

std::string ChosenFields::Row(absl::string_view row) const {
  absl::ConsumeSuffix(&row, "\n");
  std::vector<absl::string_view> cells;
  const size_t last = *std::ranges::max_element(columns_);
  while (cells.size() <= last) cells.push_back(TakeCell(row));
  const auto append_cell = [&](std::string* out, size_t column) {
    absl::StrAppend(out, cells[column]);
  };
  return absl::StrCat(absl::StrJoin(columns_, ",", append_cell), "\n");
}

std::string ChosenFields::Object(absl::string_view json) const {
  absl::ConsumePrefix(&json, "{");
  std::string out = "{";
  while (!json.empty()) {
    const absl::string_view member = TakeValue(json);
    const absl::string_view name = member.substr(1, member.find('"', 1) - 1);
    if (name != "schema" && std::ranges::count(names_, name) == 0) continue;
    absl::StrAppend(&out, out.size() > 1 ? "," : "", member);
  }
  return out + "}";
}

}  // namespace tools
