#include "engine/wire/soup/logins.h"

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "engine/base/constant_time.h"

namespace engine {
namespace {

// In upper case and padded, so that passwords of all lengths are compared in the same time.
std::string Padded(absl::string_view password) {
  std::string padded = absl::AsciiStrToUpper(password);
  padded.resize(kSoupPasswordBytes, ' ');
  return padded;
}

}  // namespace

void SoupLogins::Add(absl::string_view user, absl::string_view password) {
  logins_.push_back({.user = std::string(user), .password = Padded(password)});
}

std::optional<size_t> SoupLogins::Find(const SoupLoginRequest& request) const {
  const std::string password = Padded(request.password);
  std::optional<size_t> found;
  for (size_t number = 0; number < logins_.size(); ++number) {
    const Login& login = logins_[number];
    const bool is_its_password = EqualInConstantTime(login.password, password);
    const bool is_its_user = absl::EqualsIgnoreCase(login.user, request.user);
    if (is_its_password && is_its_user) found = number;
  }
  return found;
}

}  // namespace engine
