// What a journal says about itself: who wrote it, by which rules, in which row layout.
//
// It stands in the preamble of every segment (FORMAT.md, section 2), so that a segment can be read
// and dumped by a build that has never heard of its application. Set by the application; opaque to
// the journal, but for one thing: a segment never mixes two of them (see Writer::Open).

#ifndef JOURNAL_JOURNAL_METADATA_H_
#define JOURNAL_JOURNAL_METADATA_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace journal {

// A regular value type. Its encoded form is at most 240 KiB.
struct JournalMetadata {
  std::string application;            // For people: "ticktape exchange".
  std::string build_id;               // The build that wrote the segment.
  uint32_t semantics_version = 0;     // The rules under which the engine ran.
  std::string created_by;             // The command line.
  uint64_t row_schema_id = 0;         // Cap'n Proto type id of the row's struct.
  std::vector<std::byte> row_schema;  // The compiled schema of the row and its attachments.

  friend bool operator==(const JournalMetadata&, const JournalMetadata&) = default;
};

}  // namespace journal

#endif  // JOURNAL_JOURNAL_METADATA_H_
