// Conversations of a venue as an application: the words of their rows. They have no machine:
// 'ticktape serve --replay' drives a gateway with them.

#ifndef TOOLS_CLI_BASE_CONVERSATION_APPLICATION_H_
#define TOOLS_CLI_BASE_CONVERSATION_APPLICATION_H_

#include <string>

#include "journal/journal_metadata.h"
#include "replay/engines.h"

namespace tools {

const replay::Application& ConversationApplication();

// The metadata of a new one. `created_by`: the command line.
journal::JournalMetadata ConversationMetadata(const std::string& created_by);

}  // namespace tools

#endif  // TOOLS_CLI_BASE_CONVERSATION_APPLICATION_H_
