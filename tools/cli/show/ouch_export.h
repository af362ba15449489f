// Makes the OUCH sessions of a venue's journal, and writes their messages as text, or as the
// packets of the connections that would have carried them.
//
//   records ─► engine ─► events ─► OuchLedger ─┬─► JSON lines
//   VENUE/venue.json ─► logins ──────┘         └─► SoupBinTCP ─► TCP, IPv4 ─► pcap

#ifndef TOOLS_CLI_SHOW_OUCH_EXPORT_H_
#define TOOLS_CLI_SHOW_OUCH_EXPORT_H_

#include <cstdint>
#include <functional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "tools/cli/base/console.h"
#include "tools/cli/base/open_journal.h"
#include "tools/cli/read/selector.h"

namespace tools {

enum class OuchForm { kJsonLines, kCapture };

struct OuchExported {
  uint64_t messages = 0;
  uint64_t packets = 0;
};

// Writes the messages of the records of `range`, of all logins, in the order of the records, in
// pieces of about 64 KiB. A request is that of the client as the record has it: one that was
// refused by the gateway alone, or not answered, has left none. Each login has one connection a
// day. `path`: of the journal, VENUE/journal. Errors: UNIMPLEMENTED if the journal's first records
// were deleted; INVALID_ARGUMENT if it is in no venue with logins of OUCH, and for the first time
// that a capture cannot have; the reader's and the venue file's.
absl::StatusOr<OuchExported> WriteOuch(OuchForm form, const std::string& path,
                                       const OpenedJournal& opened, const SequenceRange& range,
                                       Console& console,
                                       const std::function<void(absl::string_view)>& sink);

}  // namespace tools

#endif  // TOOLS_CLI_SHOW_OUCH_EXPORT_H_
