// Journals for tests of the verbs that make journals of journals, and what other verbs say of them.

#ifndef TOOLS_CLI_SLICE_TESTING_JOURNALS_H_
#define TOOLS_CLI_SLICE_TESTING_JOURNALS_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"

namespace tools {

// A path in the test's temporary folder.
std::string At(absl::string_view name);

// Writes a journal of a busy session. Returns its path.
std::string WriteBusy(absl::string_view name, size_t length, uint64_t seed = 1);

// The text that stands for `name` in JSON.
std::string JsonValue(const std::string& json, absl::string_view name);

// What `verify --replay` says, notes and error too.
std::string Verify(const std::string& path);
// As `verify --deep` says it.
std::string LogDigest(const std::string& path);
// Every command in the text form.
std::string Cat(const std::string& path);

}  // namespace tools

#endif  // TOOLS_CLI_SLICE_TESTING_JOURNALS_H_
