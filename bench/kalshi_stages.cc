#include "bench/kalshi_stages.h"

#include "bench/kalshi_client.h"

namespace bench {
namespace {

size_t PlaceOf(KalshiStage stage) { return static_cast<size_t>(stage); }

}  // namespace

absl::string_view NameOf(KalshiStage stage) {
  switch (stage) {
    case KalshiStage::kParse:
      return "parse";
    case KalshiStage::kAuthenticate:
      return "authenticate";
    case KalshiStage::kDecode:
      return "decode";
    case KalshiStage::kApply:
      return "apply";
    case KalshiStage::kEncode:
      return "encode";
    case KalshiStage::kPublish:
      return "publish";
    case KalshiStage::kWrite:
      return "write";
  }
  return "";
}

void KalshiStopwatch::OnRead() {
  ++reads_;
  read_at_ = NowNanos();
}

void KalshiStopwatch::OnEnd(KalshiStage stage) {
  ends_[PlaceOf(stage)] = NowNanos();
  if (stage == KalshiStage::kApply) applied_at_.push_back(ends_[PlaceOf(stage)]);
}

void KalshiStopwatch::OnWritten(bool is_timed) {
  OnEnd(KalshiStage::kWrite);
  const int64_t written_at = ends_[PlaceOf(KalshiStage::kWrite)];
  if (is_timed) {
    for (const int64_t at : applied_at_) {
      times_.applied_to_written.Record(static_cast<uint64_t>(written_at - at));
    }
  }
  // Stages of several requests in one turn would mix.
  if (is_timed && reads_ == 1 && applied_at_.size() == 1) {
    int64_t begin = read_at_;
    for (size_t i = 0; i < kKalshiStageCount; ++i) {
      times_.stages[i].Record(static_cast<uint64_t>(ends_[i] - begin));
      begin = ends_[i];
    }
    times_.whole.Record(static_cast<uint64_t>(written_at - read_at_));
    times_.unwritten.Record(
        static_cast<uint64_t>(ends_[PlaceOf(KalshiStage::kPublish)] - read_at_));
  }
  reads_ = 0;
  applied_at_.clear();
}

}  // namespace bench
