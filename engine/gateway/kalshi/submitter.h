// How requests become commands.

#ifndef ENGINE_GATEWAY_KALSHI_SUBMITTER_H_
#define ENGINE_GATEWAY_KALSHI_SUBMITTER_H_

#include <span>

#include "engine/base/bytes.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/messages/reject_reason.h"
#include "engine/wire/kalshi/errors.h"

namespace engine {

// A command that the exchange has applied.
struct KalshiApplied {
  SequenceNumber sequence;
  Timestamp time;
  std::span<const Event> events;  // Valid until the next submission.

  // Why it was refused; kNone if it was carried out.
  RejectReason reason() const {
    for (const Event& event : events) {
      if (event.kind == EventKind::kRejected) return event.reject_reason();
    }
    return RejectReason::kNone;
  }
};

// Submits for the session whose request is handled. Errors: that the journal takes no command, a
// full disk among them; the gateway knows whether it is for good.
class KalshiSubmitter {
 public:
  virtual ~KalshiSubmitter() = default;
  virtual kalshi::Result<KalshiApplied> Submit(const Command& command, Bytes attachment) = 0;
  // The time of day: a command that is submitted now has no earlier time.
  virtual Timestamp Now() = 0;
};

}  // namespace engine

#endif  // ENGINE_GATEWAY_KALSHI_SUBMITTER_H_
