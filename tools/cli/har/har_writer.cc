#include "tools/cli/har/har_writer.h"

#include "absl/strings/str_cat.h"
#include "tools/cli/base/json.h"

namespace tools {
namespace {

using engine::TalkKind;
using engine::TalkRow;

}  // namespace

HarWriter::HarWriter(absl::string_view creator, std::function<void(absl::string_view)> write)
    : write_(std::move(write)) {
  JsonObject json;
  json.Field("version", "1.2");
  json.BeginObject("creator");
  json.Field("name", "ticktape");
  json.Field("version", creator);
  json.EndObject();
  std::string log = json.Take();
  log.pop_back();  // The object goes on.
  write_(absl::StrCat("{\"log\":", log, ",\"entries\":["));
}

absl::Status HarWriter::Add(const TalkRow& row, engine::Bytes attachment) {
  time_ = row.timestamp;
  if (row.gateway() != engine::TalkGateway::kKalshi) {
    text_session_count_ += row.kind == TalkKind::kOpened ? 1 : 0;
    return absl::OkStatus();
  }
  const Key key(row.place, row.generation);
  if (row.kind == TalkKind::kOpened) {
    sessions_[key] =
        std::make_unique<HarSession>(absl::StrCat(row.place, ".", row.generation), *this, spool_);
    return absl::OkStatus();
  }
  if (row.kind != TalkKind::kBytes && row.kind != TalkKind::kSent &&
      row.kind != TalkKind::kClosed) {
    return absl::OkStatus();
  }
  if (row.kind == TalkKind::kSent && row.length > 0 && attachment.empty()) {
    return absl::FailedPreconditionError(
        absl::StrCat("row @", row.sequence.value(), " holds the hash of ", row.length,
                     " bytes that were sent, not the bytes: HAR needs a venue that was served with "
                     "--record-conversation bytes"));
  }
  const auto found = sessions_.find(key);
  if (found == sessions_.end()) {
    has_earlier_sessions_ = true;
    return absl::OkStatus();
  }
  if (row.kind == TalkKind::kClosed) {
    found->second->OnEnd(row.timestamp, "");
    sessions_.erase(found);
    return absl::OkStatus();
  }
  const Passed passed = {
      .row = row.sequence,
      .applied = row.applied,
      .time = row.timestamp,
      .bytes = engine::AsText(attachment),
      .missing = row.length > attachment.size() ? row.length - attachment.size() : 0};
  if (row.kind == TalkKind::kBytes) {
    found->second->OnReceived(passed);
  } else {
    found->second->OnSent(passed);
  }
  return absl::OkStatus();
}

absl::Status HarWriter::Finish() {
  for (const auto& [key, session] : sessions_) {
    session->OnEnd(time_, "the conversation ends within this session");
  }
  sessions_.clear();
  write_("\n]}}\n");
  return status_;
}

void HarWriter::Add(const HarEntry& entry, const Spool::Text* messages) {
  std::string json = EntryJson(entry);
  if (messages != nullptr) json.pop_back();  // The object goes on.
  write_(absl::StrCat(entry_count_ == 0 ? "\n" : ",\n", json));
  ++entry_count_;
  if (messages == nullptr) return;
  write_(",\"_webSocketMessages\":[");
  status_.Update(spool_.Read(*messages, write_));
  write_("]}");
}

}  // namespace tools
