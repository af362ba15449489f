// A JSON file whose values know their lines. It is parsed in place: names, texts and numbers stay
// where they were in the text, so that their addresses give the lines.

#ifndef TOOLS_CLI_BASE_JSON_TEXT_H_
#define TOOLS_CLI_BASE_JSON_TEXT_H_

#include <rapidjson/document.h>

#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace tools {

// Numbers stay text, so that none is rounded; parsing is iterative, so that nesting cannot exhaust
// the stack.
inline constexpr unsigned kJsonParseFlags =
    rapidjson::kParseNumbersAsStringsFlag | rapidjson::kParseIterativeFlag;

// Immutable once parsed. Values point into it.
class JsonText {
 public:
  // Any bytes are safe. `name`: of the file, for errors. Errors: INVALID_ARGUMENT
  // "NAME:LINE:COLUMN: REASON" for what is no JSON in UTF-8.
  static absl::StatusOr<std::unique_ptr<const JsonText>> Parse(std::string text,
                                                               absl::string_view name);

  JsonText(const JsonText&) = delete;
  JsonText& operator=(const JsonText&) = delete;

  const rapidjson::Value& root() const { return document_; }

  // Returns where the value or its first part is; nullptr if it has none that the text names (true,
  // {}).
  static const char* PlaceOf(const rapidjson::Value& value);

  // INVALID_ARGUMENT "NAME:LINE: MESSAGE". `place`: in the text; nullptr is its beginning.
  absl::Status Error(const char* place, absl::string_view message) const;

 private:
  JsonText(std::string text, absl::string_view name)
      : name_(name), original_(std::move(text)), parsed_(original_) {}

  size_t LineAt(size_t offset) const;
  absl::Status SyntaxError(size_t offset, absl::string_view reason) const;

  const std::string name_;
  const std::string original_;  // Parsing overwrites the ends of lines.
  std::string parsed_;
  rapidjson::Document document_;
};

}  // namespace tools

#endif  // TOOLS_CLI_BASE_JSON_TEXT_H_
