// Any bytes are records or an error with a text, and the result does not depend on the chunks. The
// commands of the records are those of a mirrored exchange that refuses none.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "engine/base/clock.h"
#include "engine/base/sequence_number.h"
#include "engine/messages/command.h"
#include "engine/messages/command_sink.h"
#include "engine/types/ids.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/wire/dbn/markets.h"
#include "engine/wire/dbn/metadata.h"
#include "engine/wire/dbn/records.h"
#include "engine/wire/dbn/stream_reader.h"
#include "engine/wire/dbn/translator.h"

namespace {

// A compressed stream may be a decompression bomb: read no more than this many records.
constexpr size_t kRecordsMax = 100'000;

// Knows what remains of each order, and refuses what the exchange would refuse.
class CheckingSink final : public engine::CommandSink {
 public:
  absl::StatusOr<engine::SequenceNumber> Submit(const engine::Command& command,
                                                engine::Bytes) override {
    using engine::CommandKind;
    last_ = last_.Next();
    CHECK(command.quantity <= engine::kQuantityMax);
    CHECK(command.price.units() <= engine::kPriceUnitsMax);
    CHECK(command.price.units() >= -engine::kPriceUnitsMax);
    if (command.kind == CommandKind::kNewOrder) {
      CHECK(!command.quantity.is_zero());
      left_[engine::OrderIdOf(last_)] = command.quantity;
    } else if (command.kind == CommandKind::kMassCancel) {
      mass_cancelled_ = true;
    } else if (command.order_id != engine::OrderId()) {
      Change(command);
    }
    return last_;
  }

  // Orders that nothing has ended; nullopt if that is not known.
  std::optional<uint64_t> live() const {
    if (mass_cancelled_) return std::nullopt;
    return left_.size();
  }

 private:
  void Change(const engine::Command& command) {
    using engine::CommandKind;
    const auto order = left_.find(command.order_id);
    CHECK(order != left_.end());
    switch (command.kind) {
      case CommandKind::kExecute:
        CHECK(!command.quantity.is_zero() && command.quantity <= order->second);
        order->second -= command.quantity;
        if (order->second.is_zero()) left_.erase(order);
        break;
      case CommandKind::kReduce:
        CHECK(!command.quantity.is_zero() && command.quantity < order->second);
        order->second -= command.quantity;
        break;
      case CommandKind::kCancel:
        left_.erase(order);
        break;
      case CommandKind::kReplace:
        left_.erase(order);
        left_[engine::OrderIdOf(last_)] = command.quantity;
        break;
      default:
        CHECK(command.kind == CommandKind::kAmend);
        order->second = std::max(order->second, command.quantity);
    }
  }

  engine::SequenceNumber last_;
  absl::flat_hash_map<engine::OrderId, engine::Quantity> left_;  // At most.
  bool mass_cancelled_ = false;
};

struct Outcome {
  std::vector<engine::DbnMbo> records = {};
  absl::Status status = {};
  engine::DbnMetadata metadata = {};
};

Outcome Read(engine::Bytes bytes, size_t chunk_bytes) {
  engine::DbnStreamReader reader;
  Outcome outcome;
  while (!bytes.empty() && outcome.status.ok()) {
    const size_t count = std::min(chunk_bytes, bytes.size());
    reader.Feed(bytes.first(count));
    bytes = bytes.subspan(count);
    engine::DbnMbo record;
    while (outcome.records.size() < kRecordsMax) {
      const auto more = reader.Next(record);
      outcome.status = more.status();
      if (!more.ok() || !*more) break;
      outcome.records.push_back(record);
    }
    if (outcome.records.size() == kRecordsMax) break;
  }
  if (reader.metadata() != nullptr) outcome.metadata = *reader.metadata();
  if (outcome.status.ok() && bytes.empty()) outcome.status = reader.Finish();
  return outcome;
}

void Translate(const Outcome& read) {
  engine::DbnMarkets markets;
  if (!markets.Begin(read.metadata).ok()) return;
  for (const engine::DbnMbo& record : read.records) {
    if (!markets.Learn(record).ok()) return;
  }
  engine::ManualClock clock;
  CheckingSink sink;
  engine::DbnTranslator translator(sink, clock, markets);
  for (const engine::DbnMbo& record : read.records) CHECK(translator.Take(record).ok());
  CHECK(translator.Finish().ok());
  CHECK(sink.live().value_or(translator.counters().live_orders) ==
        translator.counters().live_orders);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const engine::Bytes bytes(reinterpret_cast<const std::byte*>(data) + 1, size - 1);
  const Outcome whole = Read(bytes, bytes.size() + 1);
  const Outcome parts = Read(bytes, size_t{1} + data[0]);
  CHECK(whole.records == parts.records);
  CHECK(whole.status.ok() == parts.status.ok());
  CHECK(whole.status.ok() || !whole.status.message().empty());
  Translate(whole);
  return 0;
}
