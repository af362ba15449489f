// The journals of testdata/journals, and how each is made.
//
// A fixture is written once, by the first build of its format, and never again: the code here
// shows how the files were made, and lets a test compare.

#ifndef JOURNAL_TESTING_FIXTURES_H_
#define JOURNAL_TESTING_FIXTURES_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "journal/finding.h"
#include "journal/testing/memory_storage.h"

namespace journal {

using JournalFiles = std::map<std::string, std::vector<std::byte>>;

// The content that every later build must find in the files.
struct Fixture {
  absl::string_view name;  // The directory, under testdata/journals and the version.
  JournalFiles (*make)();
  absl::string_view version = "v1";
  Verdict verdict = Verdict::kClean;
  bool sealed = false;
  uint64_t segment_count = 1;
  uint64_t first_sequence = 1;    // Above 1: the records before are deleted.
  uint64_t record_count = 0;      // The readable records from there on.
  uint64_t attachment_count = 0;  // Among them.
  uint64_t durable_sequence = 0;
  absl::string_view log_digest;  // Of the log up to the last of them.
};

const std::vector<Fixture>& FixturesOfVersion1();
const std::vector<Fixture>& FixturesOfVersion1_1();
const std::vector<Fixture>& FixturesOfVersion1_2();

// Five pages: one record, sealed. FORMAT.md, section 10, is its dump.
JournalFiles MakeMinimal();

}  // namespace journal

#endif  // JOURNAL_TESTING_FIXTURES_H_
