#include "replay/vocabulary.h"

#include <algorithm>
#include <cstddef>

#include "absl/strings/str_cat.h"
#include "engine/base/bytes.h"

namespace replay {
namespace {

void AppendFields(const std::vector<NamedValue>& fields, std::string& line) {
  for (const NamedValue& field : fields) absl::StrAppend(&line, " ", field.name, "=", field.value);
}

}  // namespace

std::string Vocabulary::Text(const journal::Record& record) const {
  std::string line = absl::StrCat(record.sequence().value(), " ", RowKindName(KindOf(*record.row)));
  AppendFields(Fields(record), line);
  return line;
}

std::string Vocabulary::Text(const Output& output) const {
  std::string line =
      absl::StrCat(output.sequence.value(), ".", output.index, " ", OutputKindName(output.kind));
  AppendFields(Fields(output), line);
  return line;
}

std::vector<NamedValue> UnknownVocabulary::Fields(const journal::Record& record) const {
  std::vector<NamedValue> fields = {
      {.name = "payload", .value = engine::ToHex(record.row->payload), .is_text = true}};
  if (!record.attachment.empty()) {
    fields.push_back(
        {.name = "attachment", .value = engine::ToHex(record.attachment), .is_text = true});
  }
  return fields;
}

std::string UnknownVocabulary::Text(const journal::Record& record) const {
  std::string line = absl::StrCat(record.sequence().value(), " ", record.timestamp().ToString());
  AppendFields(Fields(record), line);
  return line;
}

std::vector<NamedValue> UnknownVocabulary::Fields(const Output& output) const {
  return {{.name = "payload", .value = engine::ToHex(output.payload), .is_text = true},
          {.name = "detail", .value = engine::ToHex(output.detail), .is_text = true}};
}

std::vector<FieldDifference> DifferingFields(const Vocabulary& vocabulary, const Output& a,
                                             const Output& b) {
  const std::vector<NamedValue> fields_a = vocabulary.Fields(a);
  const std::vector<NamedValue> fields_b = vocabulary.Fields(b);
  std::vector<FieldDifference> differing;
  for (size_t i = 0; i < std::min(fields_a.size(), fields_b.size()); ++i) {
    if (fields_a[i].value == fields_b[i].value) continue;
    differing.push_back(
        {.field = fields_a[i].name, .a = fields_a[i].value, .b = fields_b[i].value});
  }
  return differing;
}

}  // namespace replay
