// A translation for tests: takes messages by their names, and keeps the commands.

#ifndef ENGINE_WIRE_ITCH_TESTING_TRANSLATOR_TEST_BASE_H_
#define ENGINE_WIRE_ITCH_TESTING_TRANSLATOR_TEST_BASE_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/bytes.h"
#include "engine/base/clock.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "engine/messages/command.h"
#include "engine/messages/command_sink.h"
#include "engine/types/ids.h"
#include "engine/types/side.h"
#include "engine/wire/itch/counters.h"
#include "engine/wire/itch/execution_check.h"
#include "engine/wire/itch/message_type.h"
#include "engine/wire/itch/messages.h"
#include "engine/wire/itch/translator.h"
#include "gtest/gtest.h"

namespace engine {

// Replaces the sequencer: stamps and keeps the commands.
class VectorSink final : public CommandSink {
 public:
  explicit VectorSink(ManualClock& clock) : clock_(clock) {}

  absl::StatusOr<SequenceNumber> Submit(const Command& command, Bytes attachment) override {
    if (commands.size() == capacity) return absl::UnavailableError("the disk is gone");
    commands.push_back(command);
    commands.back().sequence = SequenceNumber(commands.size());
    commands.back().timestamp = clock_.Now();
    attachments.emplace_back(attachment.begin(), attachment.end());
    return commands.back().sequence;
  }

  std::vector<Command> commands;
  std::vector<std::vector<std::byte>> attachments;
  size_t capacity = SIZE_MAX;

 private:
  ManualClock& clock_;
};

inline ItchStock Stock(const std::string& symbol) {
  ItchStock stock;
  stock.fill(' ');
  std::copy(symbol.begin(), symbol.end(), stock.begin());
  return stock;
}

// A translator, the clock that it sets, and what it submits.
class ItchTranslatorTest : public ::testing::Test {
 protected:
  static constexpr int64_t kMidnight = 1'580'342'400'000'000'000;
  static constexpr uint16_t kLocate = 13;

  explicit ItchTranslatorTest(ItchMode mode = ItchMode::kMatch)
      : translator_(sink_, clock_, Timestamp::FromNanos(kMidnight), mode, &check_) {}

  ItchHeader HeaderNow(uint16_t locate = kLocate) {
    return {.stock_locate = locate, .tracking_number = 0, .timestamp_ns = ++time_ns_};
  }
  void Translate(const ItchMessage& message) {
    const absl::Status status = translator_.Translate(message);
    EXPECT_TRUE(status.ok()) << status;
  }

  void Directory(const std::string& symbol, uint16_t locate = kLocate) {
    Translate(ItchStockDirectory{.header = HeaderNow(locate), .stock = Stock(symbol)});
  }
  void Add(uint64_t reference, Side side, uint32_t shares, uint32_t price,
           uint16_t locate = kLocate) {
    Translate(ItchAddOrder{.header = HeaderNow(locate),
                           .order_reference = reference,
                           .side = side,
                           .shares = shares,
                           .stock = Stock("AAPL"),
                           .price = price});
  }
  void Execute(uint64_t reference, uint32_t shares, uint64_t match) {
    Translate(ItchOrderExecuted{.header = HeaderNow(),
                                .order_reference = reference,
                                .executed_shares = shares,
                                .match_number = match});
  }
  void ExecuteAt(uint64_t reference, uint32_t shares, uint32_t price) {
    Translate(ItchOrderExecutedWithPrice{.header = HeaderNow(),
                                         .order_reference = reference,
                                         .executed_shares = shares,
                                         .execution_price = price});
  }
  void Cancel(uint64_t reference, uint32_t shares) {
    Translate(ItchOrderCancel{
        .header = HeaderNow(), .order_reference = reference, .cancelled_shares = shares});
  }
  void Delete(uint64_t reference) {
    Translate(ItchOrderDelete{.header = HeaderNow(), .order_reference = reference});
  }
  void Replace(uint64_t original, uint64_t replacement, uint32_t shares, uint32_t price) {
    Translate(ItchOrderReplace{.header = HeaderNow(),
                               .original_order_reference = original,
                               .new_order_reference = replacement,
                               .shares = shares,
                               .price = price});
  }

  const Command& Last() { return sink_.commands.back(); }
  size_t CommandCount() { return sink_.commands.size(); }
  const ItchCounters& Counters() { return translator_.counters(); }
  template <typename T>
  uint64_t UnknownReferences() {
    return Counters().unknown_references[kItchIndexOf<T>];
  }

  uint64_t time_ns_ = 0;
  ManualClock clock_;
  VectorSink sink_{clock_};
  ItchExecutionCheck check_;
  ItchTranslator translator_;
};

}  // namespace engine

#endif  // ENGINE_WIRE_ITCH_TESTING_TRANSLATOR_TEST_BASE_H_
