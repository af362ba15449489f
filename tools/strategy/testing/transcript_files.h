// Transcripts: text files that specify what a part does, line by line. A block is lines, then after
// `----` the answers; a blank line ends it. Lines that begin with '#' are comments, and the first
// line of a file is one: the rule.

#ifndef TOOLS_STRATEGY_TESTING_TRANSCRIPT_FILES_H_
#define TOOLS_STRATEGY_TESTING_TRANSCRIPT_FILES_H_

#include <functional>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace strategy {

// Calls `run_line` for each line that is none of the answers, no comment and not blank; it appends
// what is answered. Returns the text with these answers.
// Errors: INVALID_ARGUMENT "<file>:<line>: ..." with the error of a line.
absl::StatusOr<std::string> AnswerTranscript(
    absl::string_view file, absl::string_view text,
    absl::FunctionRef<absl::Status(absl::string_view line, std::string& answer)> run_line);

// The transcripts of a folder of the source tree, each a test of its name.
struct TranscriptFolder {
  std::string folder;  // "testdata/strategies"
  std::string prefix;  // Of the files' names.
  std::string test;    // "//tools/strategy:transcript_test"
  // `stem`: the file's name without ".txt".
  std::function<absl::StatusOr<std::string>(const std::string& stem, absl::string_view text)> run;
};

// The main function of a test: runs them, or with the argument --update rewrites their answers in
// the source tree.
int RunTranscriptFiles(int argc, char** argv, const TranscriptFolder& folder);

}  // namespace strategy

#endif  // TOOLS_STRATEGY_TESTING_TRANSCRIPT_FILES_H_
