// The metadata of a journal: the application that wrote it, its semantics version, its row layout.
//
// The preamble of every segment holds it (FORMAT.md, section 2), so that a build which does not
// know the application can still read and dump a segment. The application sets it; to the journal
// it is opaque, except that a segment never mixes two of them (see Writer::Open()).

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
  uint32_t semantics_version = 0;     // The version of the rules that the engine ran.
  std::string created_by;             // The command line.
  uint64_t row_schema_id = 0;         // The Cap'n Proto type id of the row's struct.
  std::vector<std::byte> row_schema;  // The compiled schema of the row and its attachments.
  // Where the commands come from, for people: "America/New_York", at most 40 bytes. Empty if
  // unknown. All times are of UTC.
  std::string time_zone = {};

  friend bool operator==(const JournalMetadata&, const JournalMetadata&) = default;
};

}  // namespace journal

#endif  // JOURNAL_JOURNAL_METADATA_H_
