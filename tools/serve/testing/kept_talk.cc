#include "tools/serve/testing/kept_talk.h"

#include <bit>

#include "engine/base/check.h"
#include "journal/journal_metadata.h"
#include "journal/record.h"
#include "journal/uuid.h"
#include "journal/writer.h"

namespace tools {

void KeptTalk::Append(const engine::TalkRow& row, engine::Bytes attachment) {
  rows_.push_back({.row = row, .attachment = std::string(engine::AsText(attachment))});
  rows_.back().row.timestamp = clock_.Now();
}

void WriteTalk(const KeptRows& rows, journal::Directory& directory) {
  const auto writer = journal::Writer::Create(directory, journal::JournalMetadata(),
                                              journal::Uuid::FromWords(1, 2), {})
                          .value();
  for (const KeptRow& kept : rows) {
    engine::TalkRow row = kept.row;
    row.sequence = writer->next_sequence();
    CHECK_OK(writer->Append(std::bit_cast<journal::Row>(row), engine::AsBytes(kept.attachment)));
  }
  CHECK_OK(writer->Close());
}

}  // namespace tools
