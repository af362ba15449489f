#include "tools/cli/base/conversation_application.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/gateway/conversation.h"
#include "engine/gateway/conversation_schema.h"
#include "replay/vocabulary.h"
#include "tools/cli/base/build_id.h"

namespace tools {
namespace {

using engine::TalkKind;
using engine::TalkRow;
using replay::NamedValue;

class ConversationVocabulary final : public replay::Vocabulary {
 public:
  uint16_t KindOf(const journal::Row& row) const override {
    return static_cast<uint16_t>(std::bit_cast<TalkRow>(row).kind);
  }
  std::string RowKindName(uint16_t kind) const override {
    if (kind == 0 || kind >= engine::kTalkNames.size()) return absl::StrCat(kind);
    return std::string(engine::kTalkNames[kind]);
  }
  std::string OutputKindName(uint16_t kind) const override { return absl::StrCat(kind); }

  std::vector<NamedValue> Fields(const journal::Record& record) const override {
    const TalkRow row = std::bit_cast<TalkRow>(*record.row);
    std::vector<NamedValue> fields;
    const auto add = [&](absl::string_view name, auto value) {
      fields.push_back({.name = std::string(name), .value = absl::StrCat(value)});
    };
    const auto add_text = [&](absl::string_view name, std::string value) {
      fields.push_back({.name = std::string(name), .value = std::move(value), .is_text = true});
    };
    add("applied", row.applied.value());
    add("released", row.released.value());
    if (row.gateway() == engine::TalkGateway::kKalshi) add_text("gateway", "kalshi");
    if (row.generation != 0) add_text("session", absl::StrCat(row.place, ".", row.generation));
    if (row.kind == TalkKind::kLogin) {
      add_text("verdict", (row.detail & engine::kLoginAccepted) != 0 ? "accepted" : "refused");
      if (row.account != engine::AccountId()) add("account", row.account.value());
      if ((row.detail & engine::kLoginCancelsAtEnd) != 0) add("cancels_at_end", 1);
    }
    if (row.kind == TalkKind::kTime) {
      add("steady_nanos", row.length);
    } else if (row.kind == TalkKind::kUnproven) {
      add("check", row.length);
    } else if (row.length != 0) {
      add("bytes", row.length);
    }
    if (row.hash != 0) add_text("hash", absl::StrCat(absl::Hex(row.hash, absl::kZeroPad16)));
    if (!record.attachment.empty()) {
      add_text("text", absl::CEscape(engine::AsText(record.attachment)));
    }
    return fields;
  }
  std::vector<NamedValue> Fields(const replay::Output&) const override { return {}; }
};

}  // namespace

const replay::Application& ConversationApplication() {
  static const replay::Application conversation = {
      .name = engine::kConversationApplication,
      .row_schema_id = engine::ConversationSchemaId(),
      .semantics_version = engine::kConversationVersion,
      .make_machine = [](replay::EngineKind) { return std::unique_ptr<replay::Machine>(); },
      .make_vocabulary = []() -> std::unique_ptr<replay::Vocabulary> {
        return std::make_unique<ConversationVocabulary>();
      }};
  return conversation;
}

journal::JournalMetadata ConversationMetadata(const std::string& created_by) {
  return {.application = engine::kConversationApplication,
          .build_id = BuildId(),
          .semantics_version = engine::kConversationVersion,
          .created_by = created_by,
          .row_schema_id = engine::ConversationSchemaId(),
          .row_schema = engine::CompiledConversationSchema()};
}

}  // namespace tools
