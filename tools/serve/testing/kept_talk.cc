#include "tools/serve/testing/kept_talk.h"

#include <bit>

#include "absl/status/status.h"
#include "engine/base/check.h"
#include "engine/base/sequence_number.h"
#include "engine/base/status_macros.h"
#include "engine/messages/market_directory.h"
#include "journal/journal_metadata.h"
#include "journal/reader.h"
#include "journal/record.h"
#include "journal/testing/memory_storage.h"
#include "journal/uuid.h"
#include "journal/writer.h"
#include "replay/driver.h"
#include "replay/event_outputs.h"

namespace tools {
namespace {

// As a journal.
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

}  // namespace

engine::Timestamp KeptTalk::Append(const engine::TalkRow& row, engine::Bytes attachment) {
  rows_.push_back({.row = row, .attachment = std::string(engine::AsText(attachment))});
  return rows_.back().row.timestamp = clock_.Now();
}

absl::StatusOr<TalkReport> ReplayTalk(const KeptRows& rows, const journal::Directory& commands,
                                      std::span<const engine::AccountId> accounts,
                                      PrintBook print_book, const VenueConfig* kalshi) {
  journal::MemoryDirectory directory;
  WriteTalk(rows, directory);
  ASSIGN_OR_RETURN(const auto talk, journal::Reader::Open(directory));
  ASSIGN_OR_RETURN(const auto reader, journal::Reader::Open(commands));
  replay::ExchangeMachine machine;
  replay::Driver driver(machine);
  ConversationReplay conversation(
      *talk, *reader,
      [&](const engine::MarketDefinition* market, const engine::MarketDirectory&,
          std::string& out) { print_book(machine, market, out); });
  ASSIGN_OR_RETURN(const engine::SequenceNumber start, conversation.ReadStart());
  if (reader->info().last_sequence < start) return absl::NotFoundError("commands are lost");
  if (kalshi != nullptr) conversation.ServeKalshi(*kalshi);
  for (const engine::AccountId account : accounts) conversation.AddAccount(account);
  RETURN_IF_ERROR(driver.Run(*reader, start, [&](const journal::Record& record, auto outputs) {
    conversation.OnHistory(record, replay::AsEvents(outputs));
    return true;
  }));
  return conversation.Run(driver);
}

}  // namespace tools
