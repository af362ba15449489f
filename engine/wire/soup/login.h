// The login of SoupBinTCP: the request and its two answers, as payloads of packets.

#ifndef ENGINE_WIRE_SOUP_LOGIN_H_
#define ENGINE_WIRE_SOUP_LOGIN_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"

namespace engine {

inline constexpr size_t kSoupUserBytes = 6;
inline constexpr size_t kSoupPasswordBytes = 10;
inline constexpr size_t kSoupSessionBytes = 10;
inline constexpr size_t kSoupNumberBytes = 20;

// Regular value types. Texts are without the blanks around them.
struct SoupLoginRequest {
  std::string user = {};
  std::string password = {};
  std::string session = {};  // Empty: the current one.
  uint64_t sequence = 0;     // Of the first message that is wanted; 0: only new ones.

  friend bool operator==(const SoupLoginRequest&, const SoupLoginRequest&) = default;
};

struct SoupLoginAccepted {
  std::string session = {};
  uint64_t sequence = 0;  // Of the next message.

  friend bool operator==(const SoupLoginAccepted&, const SoupLoginAccepted&) = default;
};

enum class SoupLoginRefusal : char {
  kNotAuthorised = 'A',
  kSessionNotAvailable = 'S',
};

// Any bytes are safe. Errors: INVALID_ARGUMENT that names the field; no error shows a password.
absl::StatusOr<SoupLoginRequest> ParseSoupLoginRequest(Bytes payload);
absl::StatusOr<SoupLoginAccepted> ParseSoupLoginAccepted(Bytes payload);
absl::StatusOr<SoupLoginRefusal> ParseSoupLoginRejected(Bytes payload);

// Each appends a packet. REQUIRES: texts fit their fields.
void AppendSoupLoginRequest(const SoupLoginRequest& request, std::string& out);
void AppendSoupLoginAccepted(const SoupLoginAccepted& accepted, std::string& out);
void AppendSoupLoginRejected(SoupLoginRefusal why, std::string& out);

}  // namespace engine

#endif  // ENGINE_WIRE_SOUP_LOGIN_H_
