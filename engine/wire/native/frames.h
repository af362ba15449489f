// The frames of the native protocol, both directions: 64 bytes each. To copy the bytes is to parse
// them. Specified in PROTOCOL.md.
//
// Units: as in commands and events (engine/messages). Times are nanoseconds since 1970, UTC. Texts
// are padded with zeros on the right.

#ifndef ENGINE_WIRE_NATIVE_FRAMES_H_
#define ENGINE_WIRE_NATIVE_FRAMES_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "engine/messages/command.h"
#include "engine/types/ids.h"

namespace engine::native {

inline constexpr size_t kFrameBytes = 64;
inline constexpr uint8_t kVersion = 1;

// The first byte of a frame. What a stream has may be any byte.
enum class FrameType : uint8_t {
  // Of a client.
  kLogin = 1,
  kCommand = 2,
  kClientHeartbeat = 3,
  kLogout = 4,
  // Of the venue.
  kLoginAccepted = 17,
  kLoginRefused = 18,
  kEvent = 19,
  kRefused = 20,
  kHeartbeat = 21,
  kEnded = 22,
};

// Do not renumber. Why a login is refused.
enum class LoginRefusal : uint8_t {
  kNotAuthorised = 1,   // User, password or version.
  kOtherSession = 2,    // The numbers of the session that it names are no longer those of events.
  kNoLongerKept = 3,    // An event before the oldest that is kept.
  kNotYetReleased = 4,  // An event after the next one.
  kDiskFull = 5,        // The orders of its last connection cannot be cancelled yet.
};

// Do not renumber. Why the venue did not submit a command: it is not in the journal.
enum class Refusal : uint8_t {
  kKindForbidden = 1,    // No command of a trader.
  kMarketForbidden = 2,  // The login may not trade there.
  kDiskFull = 3,         // Only cancels and reductions are taken, if any.
};

// Do not renumber. Why the venue ends a connection.
enum class EndReason : uint8_t {
  kLogout = 1,
  kUnknownFrame = 2,  // Of a type that a client cannot send then.
  kSilence = 3,       // Nothing was heard for kSilenceNanos.
  kReplaced = 4,      // The login has another connection.
  kTooSlow = 5,       // What the client has not read is no longer kept.
};

// ---- From the client.

struct Login {
  static constexpr FrameType kType = FrameType::kLogin;
  FrameType type = kType;
  uint8_t version = kVersion;
  std::array<uint8_t, 6> unused = {};
  std::array<char, 16> user = {};
  std::array<char, 24> password = {};
  uint64_t session = 0;  // That the number is of; zero: the present one.
  uint64_t number = 0;   // Of the first event to be sent; zero: of the next one.
};

// A Command, save that its first word has the type. The venue sets sequence, timestamp and account.
struct CommandFrame {
  static constexpr FrameType kType = FrameType::kCommand;
  FrameType type = kType;
  std::array<uint8_t, 15> unused = {};
  std::array<std::byte, 48> rest = {};  // Of the command: all after its timestamp.
};

struct ClientHeartbeat {
  static constexpr FrameType kType = FrameType::kClientHeartbeat;
  FrameType type = kType;
  std::array<uint8_t, 63> unused = {};
};

struct Logout {
  static constexpr FrameType kType = FrameType::kLogout;
  FrameType type = kType;
  std::array<uint8_t, 63> unused = {};
};

// ---- From the venue.

struct LoginAccepted {
  static constexpr FrameType kType = FrameType::kLoginAccepted;
  FrameType type = kType;
  std::array<uint8_t, 3> unused = {};
  uint32_t account = 0;
  uint64_t session = 0;
  uint64_t number = 0;  // Of the first event that follows.
  uint64_t oldest = 0;  // That is kept.
  uint64_t next = 0;    // After the newest that is released.
  std::array<uint64_t, 3> more_unused = {};
};

// The numbers are zero unless user and password are right.
struct LoginRefused {
  static constexpr FrameType kType = FrameType::kLoginRefused;
  FrameType type = kType;
  LoginRefusal reason = {};
  std::array<uint8_t, 6> unused = {};
  uint64_t session = 0;
  uint64_t oldest = 0;
  uint64_t next = 0;
  std::array<uint64_t, 4> more_unused = {};
};

// An event of the account. Its number is not in the frame: each event has the one after the event
// before it.
struct EventFrame {
  static constexpr FrameType kType = FrameType::kEvent;
  FrameType type = kType;
  uint8_t kind = 0;    // An EventKind.
  uint8_t side = 0;    // Of the account's order.
  uint8_t detail = 0;  // As in the event; of a trade, a TradeRole.
  uint32_t market = 0;
  uint64_t sequence = 0;         // Of the record.
  uint64_t client_order_id = 0;  // Of the command, if it is one of the account.
  uint64_t order_id = 0;         // The account's order; of a replace, the one that has ended.
  int64_t price = 0;             // Of balance, the balance.
  uint64_t quantity = 0;         // Of balance, what is reserved.
  // Of a command that this venue process received by this protocol from the account; else zero.
  uint64_t received_at = 0;
  uint32_t waited_nanos = 0;  // From there to the call of the engine.
  uint32_t engine_nanos = 0;  // Of that call.
};

// Do not renumber.
enum class TradeRole : uint8_t { kMaker = 0, kTaker = 1 };

struct Refused {
  static constexpr FrameType kType = FrameType::kRefused;
  FrameType type = kType;
  Refusal reason = {};
  uint8_t kind = 0;  // Of the command, as are the next.
  std::array<uint8_t, 1> unused = {};
  uint32_t market = 0;
  uint64_t client_order_id = 0;
  uint64_t order_id = 0;
  uint64_t received_at = 0;
  std::array<uint64_t, 4> more_unused = {};
};

struct Heartbeat {
  static constexpr FrameType kType = FrameType::kHeartbeat;
  FrameType type = kType;
  std::array<uint8_t, 7> unused = {};
  uint64_t next = 0;  // After the newest event that was sent on this connection.
  std::array<uint64_t, 6> more_unused = {};
};

struct Ended {
  static constexpr FrameType kType = FrameType::kEnded;
  FrameType type = kType;
  EndReason reason = {};
  std::array<uint8_t, 6> unused = {};
  uint64_t next = 0;  // As in Heartbeat; zero before the login.
  std::array<uint64_t, 6> more_unused = {};
};

template <typename Frame>
inline constexpr bool kIsFrame =
    sizeof(Frame) == kFrameBytes && std::is_trivially_copyable_v<Frame> &&
    std::has_unique_object_representations_v<Frame>;
static_assert(kIsFrame<Login> && kIsFrame<CommandFrame> && kIsFrame<ClientHeartbeat> &&
              kIsFrame<Logout> && kIsFrame<LoginAccepted> && kIsFrame<LoginRefused> &&
              kIsFrame<EventFrame> && kIsFrame<Refused> && kIsFrame<Heartbeat> && kIsFrame<Ended>);

// REQUIRES, of these three: kFrameBytes.
inline FrameType TypeOf(Bytes frame) { return static_cast<FrameType>(frame[0]); }

template <typename Frame>
Frame FrameFrom(Bytes bytes) {
  static_assert(kIsFrame<Frame>);
  CHECK_EQ(bytes.size(), kFrameBytes);
  Frame frame;
  std::memcpy(&frame, bytes.data(), kFrameBytes);
  return frame;
}

inline Command CommandFrom(Bytes frame, AccountId account) {
  CHECK_EQ(frame.size(), kFrameBytes);
  Command command;
  std::memcpy(&command, frame.data(), kFrameBytes);
  command.sequence = {};
  command.timestamp = {};
  command.account = account;
  return command;
}

// What a client sends: `command` without what the venue sets.
inline CommandFrame FrameOf(Command command) {
  command.account = {};
  CommandFrame frame;
  std::memcpy(&frame.rest, AsBytes(command).data() + (kFrameBytes - sizeof(frame.rest)),
              sizeof(frame.rest));
  return frame;
}

// A text in a field. REQUIRES: it fits.
template <typename Field>
Field FieldOf(absl::string_view text) {
  Field field = {};
  CHECK_LE(text.size(), field.size());
  std::ranges::copy(text, field.begin());
  return field;
}

// The text of a field, without the zeros after it.
template <size_t kSize>
absl::string_view TextOf(const std::array<char, kSize>& field) {
  const absl::string_view text(field.data(), kSize);
  return text.substr(0, text.find_last_not_of('\0') + 1);
}

}  // namespace engine::native

#endif  // ENGINE_WIRE_NATIVE_FRAMES_H_
