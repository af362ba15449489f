// Makes the ITCH feed of a journal, and writes it as text, as a file of frames, or as the packets
// in which it is published.
//
//   records ─► engine ─► events ─► ItchFeed ─┬─► JSON lines
//                                            ├─► frames: NASDAQ's BinaryFILE
//                                            └─► MoldUDP64 ─► UDP, IPv4 ─► pcap

#ifndef TOOLS_CLI_SHOW_ITCH_EXPORT_H_
#define TOOLS_CLI_SHOW_ITCH_EXPORT_H_

#include <cstddef>
#include <cstdint>
#include <functional>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/wire/pcap/udp.h"
#include "tools/cli/base/console.h"
#include "tools/cli/base/open_journal.h"
#include "tools/cli/read/selector.h"

namespace tools {

enum class ItchForm { kJsonLines, kFrames, kCapture };

struct ItchExport {
  ItchForm form = ItchForm::kJsonLines;
  size_t packet_bytes = engine::kEthernetPayloadBytes;  // What UDP carries at most.
  uint64_t line_count = 1;                              // 2: each packet twice, for lines A and B.
};

struct ItchExported {
  uint64_t messages = 0;
  uint64_t packets = 0;  // Of each line.
};

using ItchSink = std::function<void(absl::string_view)>;

// Writes the messages of the records of `range`, numbered from the journal's beginning, in pieces
// of about 64 KiB. The stream ends if the range ends with a sealed journal. Prints a note for what
// ITCH cannot express. Errors: UNIMPLEMENTED if the journal's first records were deleted;
// INVALID_ARGUMENT for the first time that a capture cannot have; the reader's.
absl::StatusOr<ItchExported> WriteItch(const ItchExport& request, const OpenedJournal& opened,
                                       const SequenceRange& range, Console& console,
                                       const ItchSink& sink);

}  // namespace tools

#endif  // TOOLS_CLI_SHOW_ITCH_EXPORT_H_
