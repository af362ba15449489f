// Any lines are frames within their bounds, or an error with a text; their commands are sound.

#include <cstddef>
#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "engine/base/check.h"
#include "engine/base/clock.h"
#include "engine/base/sequence_number.h"
#include "engine/messages/command.h"
#include "engine/messages/command_sink.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/wire/kalshi/capture_frame.h"
#include "engine/wire/kalshi/capture_translator.h"

namespace {

class CountingSink final : public engine::CommandSink {
 public:
  absl::StatusOr<engine::SequenceNumber> Submit(const engine::Command& command,
                                                engine::Bytes) override {
    CHECK(command.quantity <= engine::kQuantityMax);
    CHECK(command.price < engine::kalshi::kOneDollar);
    return last_ = last_.Next();
  }

 private:
  engine::SequenceNumber last_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  engine::ManualClock clock;
  CountingSink sink;
  engine::kalshi::CaptureReader reader(/*use_yes_price=*/false);
  engine::kalshi::CaptureTranslator translator(sink, clock);
  const absl::string_view text(reinterpret_cast<const char*>(data), size);
  uint64_t number = 0;
  for (const absl::string_view line : absl::StrSplit(text, '\n')) {
    const auto frame = reader.Read(line);
    if (frame.ok()) {
      CHECK(translator.Take(*frame, ++number).ok());
    } else {
      CHECK(!frame.status().message().empty());
    }
  }
  return 0;
}
