// Keeps the fields of rows and objects that a user chose: --fields of cat and export.

#ifndef TOOLS_CLI_READ_CHOSEN_FIELDS_H_
#define TOOLS_CLI_READ_CHOSEN_FIELDS_H_

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/messages/filter.h"

namespace tools {

// A regular value type.
class ChosenFields {
 public:
  // `text`: names with commas between them. Errors: INVALID_ARGUMENT with the known names.

  // Of a table with these columns, "A,B,C".
  static absl::StatusOr<ChosenFields> OfTable(absl::string_view text, absl::string_view header);
  // Of the objects that CommandJson() or EventJson() makes.
  static absl::StatusOr<ChosenFields> OfObjects(absl::string_view text, engine::Messages messages);

  // Returns the chosen columns of a row of that table, which has its line end, in the order in
  // which they were named.
  std::string Row(absl::string_view row) const;

  // Returns the schema and the chosen members of an object of JsonObject, in its order. With
  // `price` comes no `price_units`: each is a name of its own.
  std::string Object(absl::string_view json) const;

 private:
  std::vector<std::string> names_;
  std::vector<size_t> columns_;  // Of a table.
};

}  // namespace tools

#endif  // TOOLS_CLI_READ_CHOSEN_FIELDS_H_
