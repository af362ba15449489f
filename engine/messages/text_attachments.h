// The attachments of commands as fields of the text form.
//
//   define_market id=5 symbol=ACME price_decimals=2 ... bands=0.01:0.01,0.10:0.05
//   set_risk_limits account=1 open_orders_max=100 order_notional_max=5000.000000
//   set_fees market=ACME taker_coefficient=700 maker_coefficient=175 multiplier=100
//   note namespace=venue.keys version=1 bytes=00ff
//
// Any other bytes are written as attachment=<hexadecimal>.

#ifndef ENGINE_MESSAGES_TEXT_ATTACHMENTS_H_
#define ENGINE_MESSAGES_TEXT_ATTACHMENTS_H_

#include <cstddef>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/base/bytes.h"
#include "engine/messages/command.h"
#include "engine/messages/text_fields.h"

namespace engine {

// Writes the fields of `attachment`, if there is one.
void WriteAttachment(FieldWriter& line, const Command& command, Bytes attachment);

// Takes the fields of the attachment of `command` and returns its bytes; empty if the kind has no
// attachment. REQUIRES: `command` has its kind and market. Errors: INVALID_ARGUMENT that names the
// field.
absl::StatusOr<std::vector<std::byte>> TakeAttachment(FieldReader& line, const Command& command);

}  // namespace engine

#endif  // ENGINE_MESSAGES_TEXT_ATTACHMENTS_H_
