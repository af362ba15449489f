// The members of one JSON object, read one by one: exact numbers, prices, nested objects and lists;
// and the values that every JSON of this program gives with the same fields.
//
//   JsonFields fields("limits", object);
//   fields.Number("open_orders_max", limits.open_orders_max);
//   RETURN_IF_ERROR(fields.Finish());

#ifndef TOOLS_CLI_BASE_JSON_FIELDS_H_
#define TOOLS_CLI_BASE_JSON_FIELDS_H_

#include <rapidjson/document.h>

#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/base/integer_text.h"
#include "engine/types/market_definition.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/risk_limits.h"
#include "tools/cli/base/json_text.h"

namespace tools {

// REQUIRES: the object was parsed with kJsonParseFlags, and outlives this. The first error is kept,
// and nothing is read after it. A member that is missing, or a number that is an empty text, leaves
// what it is read into unchanged.
class JsonFields {
 public:
  // Of an object within a line. Errors: those of FieldError(), with PATH.FIELD.
  JsonFields(std::string path, const rapidjson::Value& object)
      : path_(std::move(path)), object_(object) {}

  // Of an object of a file. Errors: "NAME:LINE: PATH.FIELD: found FOUND, expected EXPECTED". The
  // path of the outermost object is empty. `place`: where the object is in `text`.
  JsonFields(std::string path, const rapidjson::Value& object, const JsonText& text,
             const char* place)
      : path_(std::move(path)), object_(object), text_(&text), place_(place) {}

  bool Has(const std::string& field) const { return Find(field) != nullptr; }
  // Refuses the object if the member is missing.
  void Require(const std::string& field, absl::string_view expected);

  // Returns the text, or the number as it was written; an empty text if the member is missing.
  std::string Text(const std::string& field);

  template <typename Int>
  void Number(const std::string& field, Int& into) {
    const std::string text = Text(field);
    if (text.empty()) return;
    Int value = 0;
    if (text.front() == '-' || !engine::ParseInteger(text, value)) {
      return Refuse(field, text, "a whole number that fits");
    }
    into = value;
  }

  // A list of texts or numbers.
  void Texts(const std::string& field, std::vector<std::string>& into);

  // A number, zero or not; or true or false.
  void Flag(const std::string& field, bool& into);
  // Only true or false.
  void Bool(const std::string& field, bool& into);

  // Reads a decimal number, or FIELD_units.
  void Price(const std::string& field, int decimals, engine::Price& into);
  void Quantity(const std::string& field, int decimals, engine::Quantity& into);

  // Calls `read` with the fields of the object, or of each object of a list; it returns their
  // Finish(), or another error.
  using ReadFields = absl::FunctionRef<absl::Status(JsonFields&)>;
  void Object(const std::string& field, ReadFields read);
  void Objects(const std::string& field, ReadFields read);

  // Of a value that is not as expected. `text`: the value, if it was a text or a number.
  void Refuse(absl::string_view field, absl::string_view text, absl::string_view expected);
  // The same, for a value that an error does not show. Only of a file.
  void RefuseHidden(absl::string_view field, absl::string_view found, absl::string_view expected);

  // The error "PATH: MESSAGE" of the object as a whole.
  absl::Status Error(absl::string_view message) const;

  // The first error so far.
  const absl::Status& status() const { return status_; }
  // Returns the first error. Members that were not read, or are there twice, are errors, too.
  absl::Status Finish();

 private:
  const rapidjson::Value::Member* Find(absl::string_view field) const;
  std::string PathOf(absl::string_view field) const;
  const char* PlaceOf(absl::string_view field) const;
  void RefuseMember(const rapidjson::Value::Member& member, bool is_known);
  void ReadNested(const std::string& path, const rapidjson::Value& value, const char* place,
                  ReadFields read);

  const std::string path_;
  const rapidjson::Value& object_;
  const JsonText* const text_ = nullptr;  // Null: a line.
  const char* const place_ = nullptr;
  std::vector<std::string> asked_;
  absl::Status status_;
};

// The object "definition": a valid one. Errors: those of its fields and of engine::Validate.
absl::StatusOr<engine::MarketDefinition> TakeMarketDefinition(JsonFields& fields);

// The object "limits".
absl::StatusOr<engine::RiskLimits> TakeRiskLimits(JsonFields& fields);

}  // namespace tools

#endif  // TOOLS_CLI_BASE_JSON_FIELDS_H_
