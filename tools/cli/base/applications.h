// The applications whose journals this program can drive, found by a journal's metadata.

#ifndef TOOLS_CLI_BASE_APPLICATIONS_H_
#define TOOLS_CLI_BASE_APPLICATIONS_H_

#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "journal/journal_info.h"
#include "journal/journal_metadata.h"
#include "replay/engines.h"
#include "replay/machine.h"
#include "replay/vocabulary.h"

namespace tools {

// Adds an application beside the exchange, conversations and runs of strategies, which are always
// there. Not thread-safe: call it before a verb runs. `application` lives until the program ends.
void AddApplication(const replay::Application& application);

// Null if this program does not know the application.
const replay::Application* FindApplication(const journal::JournalMetadata& metadata);

// The application of that name; null if this program does not know it.
const replay::Application* FindApplicationNamed(absl::string_view name);

// Errors: UNIMPLEMENTED if this program does not know the application, and so cannot drive it.
absl::StatusOr<const replay::Application*> ApplicationOf(const journal::JournalInfo& info);

// Returns a machine for the journal. Errors: as ApplicationOf(); UNIMPLEMENTED if the application
// has no machine of that kind.
absl::StatusOr<std::unique_ptr<replay::Machine>> MakeMachineFor(const journal::JournalInfo& info,
                                                                replay::EngineKind engine);

// The words of the journal's application; UnknownVocabulary if this program does not know it.
std::unique_ptr<replay::Vocabulary> VocabularyOf(const journal::JournalInfo& info);

// Whether another program may have the machine if this one has not.
bool IsRunOfStrategy(const journal::JournalInfo& info);

// The error of an application that has no machine of that kind.
absl::Status HasNoEngine(const replay::Application& application, absl::string_view engine);

bool IsOfExchange(const journal::JournalInfo& info);

// OK if the journal is the exchange's, for verbs about orders. Errors: UNIMPLEMENTED.
absl::Status CheckIsOfExchange(const journal::JournalInfo& info);

}  // namespace tools

#endif  // TOOLS_CLI_BASE_APPLICATIONS_H_
