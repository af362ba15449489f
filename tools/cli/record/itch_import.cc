#include "tools/cli/record/itch_import.h"

#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "engine/wire/itch/messages.h"
#include "engine/wire/itch/stream_reader.h"
#include "engine/wire/itch/translator.h"

namespace tools {
namespace {

// Makes every parser error DATA_LOSS: a malformed stream is damaged input. Damaged compression may
// decompress without error, but to nonsense.
absl::Status AsDamage(const absl::Status& status, bool is_gzip) {
  if (status.ok()) return status;
  return absl::DataLossError(absl::StrCat(
      status.message(), is_gzip
                            ? " (offsets are in the uncompressed stream; 'gzip -t' tells whether "
                              "the compression is damaged)"
                            : ""));
}

}  // namespace

absl::StatusOr<ItchImport> ImportItch(absl::FunctionRef<absl::StatusOr<engine::Bytes>()> read,
                                      engine::CommandSink& sink, engine::ManualClock& clock,
                                      engine::Timestamp midnight, engine::ItchExecutionCheck* check,
                                      absl::FunctionRef<void(uint64_t)> progress) {
  engine::ItchStreamReader reader;
  engine::ItchTranslator translator(sink, clock, {.midnight = midnight, .account = {}}, check);
  engine::ItchMessage message;
  uint64_t bytes_read = 0;
  absl::Status stream_status;
  while (stream_status.ok()) {
    ASSIGN_OR_RETURN(const engine::Bytes chunk, read());
    if (chunk.empty()) {
      stream_status = AsDamage(reader.Finish(), reader.is_gzip());
      break;
    }
    bytes_read += chunk.size();
    reader.Feed(chunk);
    while (true) {
      const absl::StatusOr<bool> more = reader.Next(message);
      if (!more.ok()) stream_status = AsDamage(more.status(), reader.is_gzip());
      if (!more.ok() || !*more) break;
      RETURN_IF_ERROR(translator.Translate(message));
    }
    progress(bytes_read);
  }
  return ItchImport{.counters = translator.counters(),
                    .message_count = reader.message_count(),
                    .stream_status = stream_status};
}

}  // namespace tools
