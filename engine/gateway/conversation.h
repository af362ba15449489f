// The rows of a conversation journal: all that a gateway was given and gave, in order. With the
// command journal they give every byte that the gateway sent again.
//
//   started 1 · opened · bytes · login · released · offered · sent · ... · closed
//   each: the last command applied, and the last released, before it happened
//
// No row holds a secret: LoginMask, HeaderMask.

#ifndef ENGINE_GATEWAY_CONVERSATION_H_
#define ENGINE_GATEWAY_CONVERSATION_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "engine/types/ids.h"

namespace engine {

// Do not renumber: in the journal.
enum class TalkKind : uint16_t {
  kStarted = 1,     // The first row of a venue's run.
  kOpened = 2,      // A session, of a new connection.
  kBytes = 3,       // It sent `length` bytes: the attachment, masked.
  kInputEnded = 4,  // It sends no more.
  kContinued = 5,   // It was full, and takes the rest of its bytes.
  kLogin = 6,       // The verdict on what it sent: detail 1 and an account, or 0.
  kReleased = 7,    // While the row before was handled: up to `released`, after `applied`.
  kRefused = 8,     // The command after `applied` found no room in the command journal.
  kOffered = 9,     // What is ready is offered; each session's `sent` or `held` follows.
  kSent = 10,       // `length` bytes with this hash. The attachment, if asked for, has at most
                    // the first kTalkAttachmentBytesMax of them.
  kHeld = 11,       // The client reads too slowly: the bytes stay.
  kResumed = 12,    // The client reads again.
  kClosed = 13,     // The session has ended.
  kWorked = 14,     // What sessions left to do is submitted.
  kNoRoom = 15,     // That is interrupted.
  kEnded = 16,      // The last row, if the venue ended in order.
  // Of Kalshi's API only:
  kConfigured = 17,  // The attachment, or the next piece of it: the venue file, without secrets.
                     // Detail 1: faults are taken on request.
  kTime = 18,        // Its time has come: `length` is SteadyTime's, of that process.
  kUnproven = 19,    // A signature, or an operator's token, did not hold: the `length`th that was
                     // checked. Those without a row held.
  kInjected = 20,  // A fault by a script: the attachment, NAME?PARAMETERS, a blank, and the moment
                   // that it waited for.
};

inline constexpr std::array<absl::string_view, 21> kTalkNames = {
    "",         "started", "opened",  "bytes",      "input_ended", "continued", "login",
    "released", "refused", "offered", "sent",       "held",        "resumed",   "closed",
    "worked",   "no_room", "ended",   "configured", "time",        "unproven",  "injected"};

// Whose sessions a row is about.
enum class TalkGateway : uint8_t { kText = 0, kKalshi = 1 };

// A regular value type: 64 bytes, little-endian, without padding; a journal's row.
struct TalkRow {
  SequenceNumber sequence = {};
  Timestamp timestamp = {};
  SequenceNumber applied = {};   // In the command journal.
  SequenceNumber released = {};  // Not above it.
  uint32_t place = 0;            // Of the session.
  uint32_t generation = 0;
  TalkKind kind = {};
  uint16_t detail = 0;  // The low byte, of a login: bit 0, accepted; bit 1, its end cancels. The
                        // high byte: TalkGateway.
  AccountId account = {};
  uint64_t length = 0;
  uint64_t hash = 0;  // The low half of DigestOf().

  TalkGateway gateway() const { return static_cast<TalkGateway>(detail >> 8); }
  void set_gateway(TalkGateway gateway) {
    detail = static_cast<uint16_t>((detail & 0xff) | static_cast<unsigned>(gateway) << 8);
  }

  friend bool operator==(const TalkRow&, const TalkRow&) = default;
};
static_assert(sizeof(TalkRow) == 64);
static_assert(std::is_trivially_copyable_v<TalkRow>);
static_assert(std::has_unique_object_representations_v<TalkRow>);

// The most that a record of a journal carries.
inline constexpr size_t kTalkAttachmentBytesMax = size_t{1} << 20;

inline constexpr uint16_t kLoginAccepted = 1;
inline constexpr uint16_t kLoginCancelsAtEnd = 2;
inline constexpr uint16_t kTakesFaults = 1;

// Receives the rows of a conversation. Sequence number and time are its own to give.
class TalkSink {
 public:
  virtual ~TalkSink() = default;

  // Returns the row's time.
  virtual Timestamp Append(const TalkRow& row, Bytes attachment) = 0;
};

// Replaces the secret in the first line of a session's input, cut anywhere: of "LOGIN name secret"
// all after the name, of any other line all but its blanks. The line keeps its length and words,
// and where a comment begins. Not thread-safe.
class LoginMask {
 public:
  // The same bytes, masked.
  std::string Mask(Bytes bytes);
  // The line is over: what follows is not masked.
  bool has_ended() const { return has_ended_; }

 private:
  char Next(char byte);

  bool has_ended_ = false;
  bool in_word_ = false;
  bool is_comment_ = false;
  bool is_login_ = true;  // As far as it has come.
  size_t word_ = 0;       // Which one it is in or after, from 1.
  size_t in_keyword_ = 0;
};

// Replaces the secrets in what a session of HTTP sends, cut anywhere: all but blanks of the values
// of the fields Authorization and KALSHI-ACCESS-SIGNATURE. A body has no line that begins so: it is
// JSON. The bytes keep their number.
class HeaderMask {
 public:
  // The same bytes, masked.
  std::string Mask(Bytes bytes);

 private:
  char Next(char byte);

  // In a line: at its start, in what may become one of the names, in its value, or in any other.
  enum class Place { kStart, kName, kSecret, kRest };

  Place place_ = Place::kStart;
  bool follows_secret_ = false;  // The line before was a value, which may go on.
  std::string name_;             // In lower case, without blanks.
};

}  // namespace engine

#endif  // ENGINE_GATEWAY_CONVERSATION_H_
