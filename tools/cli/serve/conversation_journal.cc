#include "tools/cli/serve/conversation_journal.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <filesystem>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "engine/base/integer_text.h"
#include "engine/base/status_macros.h"
#include "journal/record.h"
#include "journal/storage/posix_storage.h"
#include "journal/uuid.h"
#include "tools/cli/base/conversation_application.h"
#include "tools/os/clocks.h"
#include "tools/os/entropy.h"

namespace tools {
namespace {

static_assert(engine::kTalkAttachmentBytesMax == journal::kMaxAttachmentBytes);

std::string FolderOf(const std::string& venue) { return venue + "/conversations"; }

std::string NameOf(uint64_t number) { return absl::StrFormat("%06d.tape", number); }

// 0: no name of a conversation.
uint64_t NumberOf(absl::string_view name) {
  uint64_t number = 0;
  const bool is_one = absl::ConsumeSuffix(&name, ".tape") && engine::ParseInteger(name, number);
  return is_one ? number : 0;
}

// Ascending; none if there is no such folder. Errors: the system's.
absl::StatusOr<std::vector<uint64_t>> NumbersIn(const std::string& folder) {
  std::vector<uint64_t> numbers;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (const uint64_t number = NumberOf(entry.path().filename().string()); number != 0) {
      numbers.push_back(number);
    }
  }
  if (error && error != std::errc::no_such_file_or_directory) {
    return absl::UnavailableError(absl::StrCat(folder, ": ", error.message()));
  }
  std::ranges::sort(numbers);
  return numbers;
}

}  // namespace

absl::StatusOr<std::vector<std::string>> ListConversations(const std::string& venue) {
  ASSIGN_OR_RETURN(const std::vector<uint64_t> numbers, NumbersIn(FolderOf(venue)));
  std::vector<std::string> paths;
  for (const uint64_t number : numbers) {
    paths.push_back(absl::StrCat(FolderOf(venue), "/", NameOf(number)));
  }
  return paths;
}

absl::StatusOr<std::unique_ptr<ConversationJournal>> ConversationJournal::Create(
    const std::string& venue, engine::Clock& clock) {
  const std::string folder = FolderOf(venue);
  std::error_code error;
  std::filesystem::create_directory(folder, error);  // If it fails, so does what follows.
  ASSIGN_OR_RETURN(const std::vector<uint64_t> numbers, NumbersIn(folder));
  const std::string path =
      absl::StrCat(folder, "/", NameOf(numbers.empty() ? 1 : numbers.back() + 1));
  ASSIGN_OR_RETURN(std::unique_ptr<journal::Directory> directory,
                   journal::OpenPosixDirectory(path, journal::DirectoryMode::kCreate));
  ASSIGN_OR_RETURN(std::unique_ptr<journal::Writer> writer,
                   journal::Writer::Create(*directory, ConversationMetadata("ticktape serve"),
                                           journal::Uuid::FromWords(RandomWord(), RandomWord()),
                                           SystemClock().Now()));
  return std::unique_ptr<ConversationJournal>(
      new ConversationJournal(path, std::move(directory), std::move(writer), clock));
}

engine::Timestamp ConversationJournal::Append(const engine::TalkRow& row,
                                              engine::Bytes attachment) {
  if (status_.ok()) {
    const auto record = sequencer_.Append(std::bit_cast<journal::Row>(row), attachment);
    if (record.ok()) return record->timestamp();
    status_ = record.status();
  }
  return clock_.Now();
}

absl::Status ConversationJournal::Finish() {
  RETURN_IF_ERROR(status_);
  return writer_->Close();
}

}  // namespace tools
