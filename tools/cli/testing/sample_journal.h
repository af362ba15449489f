// A small journal for tests of verbs: two markets, fifteen commands, every kind of outcome.
//
// Its commands in the text form are kSampleCommands; one a second, from 2020-01-30T09:30:00Z on.

#ifndef TOOLS_CLI_TESTING_SAMPLE_JOURNAL_H_
#define TOOLS_CLI_TESTING_SAMPLE_JOURNAL_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace tools {

struct SampleJournalOptions {
  std::vector<std::string> commands;  // Text form, without sequence and time; default: the sample.
  uint32_t block_records = 4;
  bool sealed = true;
  std::string created_by = "WriteSampleJournal";
  bool synced = false;     // Block by block, so that each but the first tells that it is durable.
  bool heartbeat = false;  // A block after the last record says that it is durable.
  uint64_t segment_bytes = uint64_t{256} << 20;
  uint64_t journal_id = 1;  // Journals with different ones are different journals.
};

// The sample's commands, without sequence and time.
std::vector<std::string> SampleCommands();

// Records the commands through an engine into a new folder under the test's temporary directory.
// Returns its path.
std::string WriteSampleJournal(absl::string_view name, const SampleJournalOptions& options);
std::string WriteSampleJournal(absl::string_view name);

}  // namespace tools

#endif  // TOOLS_CLI_TESTING_SAMPLE_JOURNAL_H_
