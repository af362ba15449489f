#include "engine/wire/soup/login.h"

#include <algorithm>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "engine/base/check.h"
#include "engine/base/integer_text.h"
#include "engine/base/status_macros.h"
#include "engine/wire/soup/packets.h"

namespace engine {
namespace {

absl::Status CheckSize(absl::string_view what, Bytes payload, size_t expected) {
  if (payload.size() == expected) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("SoupBinTCP: ", what, " of ", payload.size(), " bytes, expected ", expected));
}

// Takes fields of text from the front.
class Fields {
 public:
  explicit Fields(Bytes payload) : rest_(AsText(payload)) {}

  absl::StatusOr<std::string> Text(absl::string_view name, size_t size) {
    const absl::string_view field = Take(size);
    if (!std::ranges::all_of(field, [](char c) { return c >= ' ' && c <= '~'; })) {
      return absl::InvalidArgumentError(
          absl::StrCat("SoupBinTCP: ", name, ": found another byte, expected printable ASCII"));
    }
    return std::string(absl::StripAsciiWhitespace(field));
  }

  // No digit stands for zero.
  absl::StatusOr<uint64_t> Number(absl::string_view name) {
    ASSIGN_OR_RETURN(const std::string digits, Text(name, kSoupNumberBytes));
    uint64_t number = 0;
    if (!digits.empty() && !ParseInteger(digits, number)) {
      return absl::InvalidArgumentError(
          absl::StrCat("SoupBinTCP: ", name, ": found '", digits, "', expected a whole number"));
    }
    return number;
  }

 private:
  absl::string_view Take(size_t size) {
    const absl::string_view field = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return field;
  }

  absl::string_view rest_;
};

void AppendText(absl::string_view text, size_t size, std::string& out) {
  CHECK_LE(text.size(), size);
  absl::StrAppend(&out, text, std::string(size - text.size(), ' '));
}

void AppendNumber(uint64_t number, std::string& out) {
  const std::string digits = absl::StrCat(number);
  absl::StrAppend(&out, std::string(kSoupNumberBytes - digits.size(), ' '), digits);
}

}  // namespace

absl::StatusOr<SoupLoginRequest> ParseSoupLoginRequest(Bytes payload) {
  RETURN_IF_ERROR(
      CheckSize("a login request", payload,
                kSoupUserBytes + kSoupPasswordBytes + kSoupSessionBytes + kSoupNumberBytes));
  Fields fields(payload);
  SoupLoginRequest request;
  ASSIGN_OR_RETURN(request.user, fields.Text("user", kSoupUserBytes));
  ASSIGN_OR_RETURN(request.password, fields.Text("password", kSoupPasswordBytes));
  ASSIGN_OR_RETURN(request.session, fields.Text("session", kSoupSessionBytes));
  ASSIGN_OR_RETURN(request.sequence, fields.Number("sequence number"));
  return request;
}

absl::StatusOr<SoupLoginAccepted> ParseSoupLoginAccepted(Bytes payload) {
  RETURN_IF_ERROR(CheckSize("an accepted login", payload, kSoupSessionBytes + kSoupNumberBytes));
  Fields fields(payload);
  SoupLoginAccepted accepted;
  ASSIGN_OR_RETURN(accepted.session, fields.Text("session", kSoupSessionBytes));
  ASSIGN_OR_RETURN(accepted.sequence, fields.Number("sequence number"));
  return accepted;
}

absl::StatusOr<SoupLoginRefusal> ParseSoupLoginRejected(Bytes payload) {
  RETURN_IF_ERROR(CheckSize("a rejected login", payload, 1));
  const auto why = static_cast<SoupLoginRefusal>(payload.front());
  if (why != SoupLoginRefusal::kNotAuthorised && why != SoupLoginRefusal::kSessionNotAvailable) {
    return absl::InvalidArgumentError(
        "SoupBinTCP: found another reason of a rejected login, expected A or S");
  }
  return why;
}

void AppendSoupLoginRequest(const SoupLoginRequest& request, std::string& out) {
  std::string payload;
  AppendText(request.user, kSoupUserBytes, payload);
  AppendText(request.password, kSoupPasswordBytes, payload);
  AppendText(request.session, kSoupSessionBytes, payload);
  AppendNumber(request.sequence, payload);
  AppendSoupPacket(SoupType::kLoginRequest, AsBytes(payload), out);
}

void AppendSoupLoginAccepted(const SoupLoginAccepted& accepted, std::string& out) {
  std::string payload;
  AppendText(accepted.session, kSoupSessionBytes, payload);
  AppendNumber(accepted.sequence, payload);
  AppendSoupPacket(SoupType::kLoginAccepted, AsBytes(payload), out);
}

void AppendSoupLoginRejected(SoupLoginRefusal why, std::string& out) {
  const char letter = static_cast<char>(why);
  AppendSoupPacket(SoupType::kLoginRejected, AsBytes(absl::string_view(&letter, 1)), out);
}

}  // namespace engine
