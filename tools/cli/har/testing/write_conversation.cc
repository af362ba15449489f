// Writes SampleConversation() as a journal.
//
// Usage: write_conversation FOLDER [hashes]

#include <bit>
#include <memory>

#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "engine/gateway/conversation.h"
#include "journal/record.h"
#include "journal/storage/posix_storage.h"
#include "journal/storage/storage.h"
#include "journal/uuid.h"
#include "journal/writer.h"
#include "tools/cli/base/conversation_application.h"
#include "tools/cli/har/testing/talk_rows.h"

int main(int argc, char** argv) {
  CHECK(argc == 2 || argc == 3);
  auto directory = journal::OpenPosixDirectory(argv[1], journal::DirectoryMode::kCreate);
  CHECK_OK(directory.status());
  const tools::TalkRows rows = tools::SampleConversation();
  auto writer =
      journal::Writer::Create(**directory, tools::ConversationMetadata("a test"),
                              journal::Uuid::FromWords(1, 2), rows.records().front().row.timestamp);
  CHECK_OK(writer.status());
  for (const tools::TalkRecord& record : rows.records()) {
    const bool is_kept = argc == 2 || record.row.kind != engine::TalkKind::kSent;
    CHECK_OK((*writer)->Append(std::bit_cast<journal::Row>(record.row),
                               engine::AsBytes(is_kept ? record.attachment : "")));
  }
  CHECK_OK((*writer)->Close());
  return 0;
}
