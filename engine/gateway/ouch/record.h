// What a record of the journal says of OUCH, as its attachment: a note of the namespace venue.ouch.
//
//   version 1   what 1 │ user 6 │ more
//
//   'R' request     the message of the client, as it was sent; of a command, or of a note
//   'J' refusal     token 14, reason 1; of a note
//   'D' day         the session's name, 10; 'V' if the journal may lose its end, else a blank; of a
//                   note. No user
//   'E' day's end   nothing; of a cancel. No user

#ifndef ENGINE_GATEWAY_OUCH_RECORD_H_
#define ENGINE_GATEWAY_OUCH_RECORD_H_

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/bytes.h"

namespace engine {

// A regular value type.
struct OuchRecord {
  enum class What : char { kRequest = 'R', kRefusal = 'J', kDay = 'D', kDayEnd = 'E' };

  What what = {};
  std::string user = {};  // Of the login, without padding; see above.
  std::string more = {};

  friend bool operator==(const OuchRecord&, const OuchRecord&) = default;
};

// REQUIRES: the user is at most kSoupUserBytes.
std::vector<std::byte> EncodeOuchRecord(const OuchRecord& record);

// Accepts any bytes; nullopt for attachments that are no record of OUCH's.
std::optional<OuchRecord> DecodeOuchRecord(Bytes attachment);

}  // namespace engine

#endif  // ENGINE_GATEWAY_OUCH_RECORD_H_
