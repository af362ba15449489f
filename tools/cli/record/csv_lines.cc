#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/status_macros.h"
#include "tools/cli/record/command_lines.h"

namespace tools {
namespace {

// The fields of a row (RFC 4180). Errors: INVALID_ARGUMENT with the column, counted from 1.
absl::StatusOr<std::vector<std::string>> SplitRow(absl::string_view line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  bool closed = false;  // After the end of a quoted field: a comma must follow.
  for (size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    std::string& field = fields.back();
    if (quoted) {
      if (c != '"') {
        field += c;
      } else if (i + 1 < line.size() && line[i + 1] == '"') {
        field += line[++i];
      } else {
        quoted = false;
        closed = true;
      }
    } else if (c == ',') {
      fields.emplace_back();
      closed = false;
    } else if (closed || (c == '"' && !field.empty())) {
      return absl::InvalidArgumentError(absl::StrCat(
          "column ", fields.size(), ": text beside quotes, expected the whole field in quotes"));
    } else if (c == '"') {
      quoted = true;
    } else {
      field += c;
    }
  }
  if (!quoted) return fields;
  return absl::InvalidArgumentError(
      absl::StrCat("column ", fields.size(), ": a quote without its end, expected \""));
}

class CsvLines final : public CommandLines {
 public:
  absl::StatusOr<std::optional<ParsedCommand>> Parse(
      absl::string_view line, const engine::MarketDirectory& markets) override {
    if (line.empty()) return std::nullopt;
    ASSIGN_OR_RETURN(std::vector<std::string> row, SplitRow(line));
    if (fields_.empty()) {
      RETURN_IF_ERROR(TakeHeader(std::move(row)));
      return std::nullopt;
    }
    if (row.size() != fields_.size()) {
      return absl::InvalidArgumentError(
          absl::StrCat(row.size(), " columns, expected ", fields_.size(), " as in the first line"));
    }
    for (size_t i = 0; i < row.size(); ++i) fields_[i].second = std::move(row[i]);
    return ParseCommandFields(fields_, markets);
  }

 private:
  absl::Status TakeHeader(std::vector<std::string> row) {
    for (std::string& name : row) {
      if (!IsCommandField(name)) {
        fields_.clear();
        return FieldError("header", name,
                          "the names of columns, e.g. sequence,time_ns,kind,market_id,price_units");
      }
      fields_.emplace_back(std::move(name), "");
    }
    return absl::OkStatus();
  }

  NamedFields fields_;  // Empty before the first line.
};

}  // namespace

std::unique_ptr<CommandLines> MakeCsvLines() { return std::make_unique<CsvLines>(); }

}  // namespace tools
