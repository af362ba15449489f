// Any lines are messages and books or an error, and any messages and books are commands. Lines take
// turns: a message, and the book after it, which may be left empty.

#include <cstddef>
#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/clock.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "engine/messages/command.h"
#include "engine/messages/command_sink.h"
#include "engine/wire/lobster/lines.h"
#include "engine/wire/lobster/translator.h"

namespace {

class CountingSink final : public engine::CommandSink {
 public:
  absl::StatusOr<engine::SequenceNumber> Submit(const engine::Command&, engine::Bytes) override {
    return last_ = last_.Next();
  }

 private:
  engine::SequenceNumber last_;
};

absl::string_view TakeLine(absl::string_view& text) {
  const size_t end = text.find('\n');
  const absl::string_view line = text.substr(0, end);
  text.remove_prefix(end == text.npos ? text.size() : end + 1);
  return line;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  absl::string_view text(reinterpret_cast<const char*>(data), size);
  CountingSink sink;
  engine::ManualClock clock;
  engine::LobsterTranslator translator(sink, clock, engine::Timestamp(), "AAPL");
  engine::LobsterBook book;
  while (!text.empty()) {
    const auto message = engine::ParseLobsterMessage(TakeLine(text));
    const bool has_book = engine::ParseLobsterBook(TakeLine(text), book).ok();
    if (!message.ok()) continue;
    if (!translator.Take(*message, has_book ? &book : nullptr).ok()) return 0;
  }
  return 0;
}
