// The words of an application: the names of its rows, outputs and their fields.
//
//   journal ─► application's name, row schema ─► Vocabulary ─► text · fields · failure classes
//
// The tools print through it, so that they need not know the application. A journal of an
// application that this build does not know is printed in numbers (UnknownVocabulary).

#ifndef REPLAY_VOCABULARY_H_
#define REPLAY_VOCABULARY_H_

#include <compare>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "journal/record.h"
#include "replay/output.h"

namespace replay {

// A field of a row or an output. A regular value type.
struct NamedValue {
  std::string name;
  std::string value;
  bool is_text = false;  // False: a number, which JSON does not quote.

  friend bool operator==(const NamedValue&, const NamedValue&) = default;
};

// What a timed record is counted with: its kind, and what came of it. A regular value type.
struct RecordClass {
  uint16_t kind = 0;
  uint16_t outcome = 0;

  friend auto operator<=>(const RecordClass&, const RecordClass&) = default;
};

// Not thread-safe. Accepts any bytes.
class Vocabulary {
 public:
  virtual ~Vocabulary() = default;

  // Learns what later rows and outputs refer to, such as the symbol of a market. Call it for every
  // record of the journal.
  virtual void Follow(const journal::Record& /*record*/) {}

  // The kind of a row, and the names of kinds: "new_order", "trade". A kind without a name has its
  // number.
  virtual uint16_t KindOf(const journal::Row& row) const = 0;
  virtual std::string RowKindName(uint16_t kind) const = 0;
  virtual std::string OutputKindName(uint16_t kind) const = 0;

  // The fields of that kind in a fixed order, without sequence, time, index and kind. Those of an
  // output are numbers that are independent of what was learned.
  virtual std::vector<NamedValue> Fields(const journal::Record& record) const = 0;
  virtual std::vector<NamedValue> Fields(const Output& output) const = 0;

  // One line: "7 add counter=3 amount=5", "7.0 changed counter=3 value=12".
  virtual std::string Text(const journal::Record& record) const;
  virtual std::string Text(const Output& output) const;

  // The output's part of a failure class: its kind and, for a refusal, the reason.
  virtual std::string ClassOf(const Output& output) const { return OutputKindName(output.kind); }

  // What came of the record, and the name of that; 0 and "done" if its kind says it all.
  virtual uint16_t OutcomeOf(const journal::Row& /*row*/,
                             std::span<const Output> /*outputs*/) const {
    return 0;
  }
  virtual std::string OutcomeName(uint16_t /*outcome*/) const { return "done"; }
};

// For journals of applications that this build does not know. Rows have no kind, as it may be
// anywhere in the payload.
class UnknownVocabulary final : public Vocabulary {
 public:
  uint16_t KindOf(const journal::Row&) const override { return 0; }
  std::string RowKindName(uint16_t) const override { return "row"; }
  std::string OutputKindName(uint16_t kind) const override { return absl::StrCat(kind); }
  std::vector<NamedValue> Fields(const journal::Record& record) const override;
  std::vector<NamedValue> Fields(const Output& output) const override;
  std::string Text(const journal::Record& record) const override;  // With the time.
  using Vocabulary::Text;
};

// A field in which two outputs of one kind differ. A regular value type.
struct FieldDifference {
  std::string field;
  std::string a;
  std::string b;
};

// Returns the differing fields of two outputs of the same kind, in the order of Fields().
std::vector<FieldDifference> DifferingFields(const Vocabulary& vocabulary, const Output& a,
                                             const Output& b);

}  // namespace replay

#endif  // REPLAY_VOCABULARY_H_
