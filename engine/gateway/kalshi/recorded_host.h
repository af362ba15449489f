// What a recorded gateway asks of its program, with a row for each answer that a replay cannot
// know.

#ifndef ENGINE_GATEWAY_KALSHI_RECORDED_HOST_H_
#define ENGINE_GATEWAY_KALSHI_RECORDED_HOST_H_

#include <cstdint>
#include <optional>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "engine/base/timestamp.h"
#include "engine/gateway/conversation.h"
#include "engine/gateway/conversation_recorder.h"
#include "engine/gateway/kalshi/api.h"
#include "engine/gateway/kalshi/kalshi_gateway.h"
#include "engine/gateway/kalshi/tiers.h"
#include "engine/types/ids.h"

namespace engine {

// Not thread-safe: owned by the thread that submits. All references outlive it.
class RecordedKalshiHost final : public KalshiHost, public KalshiUsers {
 public:
  RecordedKalshiHost(KalshiHost& host, KalshiUsers& users) : host_(host), users_(users) {}
  // Before the first session: that of the gateway.
  void Connect(ConversationRecorder& recorder) { recorder_ = &recorder; }

  // That of the row, which a replay has.
  Timestamp Now() override { return recorder_->time(); }
  absl::Status JournalStatus() const override { return host_.JournalStatus(); }
  bool IsOperator(absl::string_view authorization) override {
    return Note(host_.IsOperator(authorization));
  }
  bool has_agents() const override { return host_.has_agents(); }
  void ShowPercent(int percent) override { host_.ShowPercent(percent); }

  std::optional<AccountId> AccountOf(absl::string_view key_id) const override {
    return users_.AccountOf(key_id);
  }
  bool IsSigned(absl::string_view key_id, absl::string_view message,
                absl::string_view signature) override {
    return Note(users_.IsSigned(key_id, message, signature));
  }
  const KalshiTier& TierOf(AccountId account) const override { return users_.TierOf(account); }

 private:
  bool Note(bool is_proven) {
    ++proofs_;
    if (is_proven) return true;
    TalkRow row = recorder_->RowOf(TalkKind::kUnproven, {});
    row.length = proofs_;
    recorder_->Add(row, {});
    return false;
  }

  KalshiHost& host_;
  KalshiUsers& users_;
  ConversationRecorder* recorder_ = nullptr;
  uint64_t proofs_ = 0;  // How many were checked.
};

}  // namespace engine

#endif  // ENGINE_GATEWAY_KALSHI_RECORDED_HOST_H_
