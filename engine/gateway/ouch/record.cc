#include "engine/gateway/ouch/record.h"

#include <algorithm>
#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/messages/note_codec.h"
#include "engine/types/note.h"
#include "engine/wire/soup/login.h"

namespace engine {
namespace {

constexpr char kNamespace[] = "venue.ouch";
constexpr uint16_t kVersion = 1;
constexpr absl::string_view kWhats = "RJDE";

}  // namespace

std::vector<std::byte> EncodeOuchRecord(const OuchRecord& record) {
  std::string text(1, static_cast<char>(record.what));
  text += record.user;
  text.resize(1 + kSoupUserBytes, ' ');
  text += record.more;
  const Bytes bytes = AsBytes(text);
  return EncodeNote(
      {.name_space = kNamespace, .version = kVersion, .bytes = {bytes.begin(), bytes.end()}});
}

std::optional<OuchRecord> DecodeOuchRecord(Bytes attachment) {
  if (attachment.empty()) return std::nullopt;
  const absl::StatusOr<Note> note = DecodeNote(attachment);
  if (!note.ok() || note->name_space != kNamespace || note->version != kVersion) {
    return std::nullopt;
  }
  const absl::string_view text = AsText(note->bytes);
  if (text.size() < 1 + kSoupUserBytes || kWhats.find(text.front()) == absl::string_view::npos) {
    return std::nullopt;
  }
  const absl::string_view user = text.substr(1, kSoupUserBytes);
  return OuchRecord{.what = static_cast<OuchRecord::What>(text.front()),
                    .user = std::string(user.substr(0, user.find_last_not_of(' ') + 1)),
                    .more = std::string(text.substr(1 + kSoupUserBytes))};
}

}  // namespace engine
