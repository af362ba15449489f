#include "tools/cli/serve/login_fields.h"

#include <cstdint>

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"

namespace tools {
namespace {

constexpr size_t kPasswordBytesMin = 8;

}  // namespace

bool IsWord(absl::string_view text, size_t bytes_min, size_t bytes_max) {
  return text.size() >= bytes_min && text.size() <= bytes_max &&
         absl::c_all_of(text, [](unsigned char c) { return absl::ascii_isgraph(c); });
}

void TakeListen(JsonFields& fields, absl::string_view example, std::string& listen,
                uint32_t& connections_max) {
  listen = fields.Text("listen");
  if (!IsWord(listen, 0, SIZE_MAX)) fields.Refuse("listen", "", absl::StrCat("e.g. ", example));
  fields.Number("connections_max", connections_max);
  if (connections_max == 0) fields.Refuse("connections_max", "", "a whole number from 1");
}

std::string TakeUser(JsonFields& fields, size_t bytes_max) {
  std::string user = fields.Text("user");
  if (!IsWord(user, 1, bytes_max)) {
    fields.Refuse("user", "",
                  absl::StrCat("1 to ", bytes_max, " printable ASCII characters without spaces"));
  }
  return user;
}

std::string TakePassword(JsonFields& fields, size_t bytes_max) {
  const bool is_given = fields.Has("password");
  std::string password = fields.Text("password");
  if (IsWord(password, kPasswordBytesMin, bytes_max)) return password;
  fields.RefuseHidden(
      "password",
      is_given ? absl::StrCat("another value of ", password.size(), " bytes") : "nothing",
      absl::StrCat(kPasswordBytesMin, " to ", bytes_max,
                   " printable ASCII characters without spaces"));
  return password;
}

engine::AccountId TakeAccount(JsonFields& fields, const std::set<engine::AccountId>& accounts) {
  uint32_t account = 0;
  fields.Number("account", account);
  const engine::AccountId id(account);
  if (!accounts.contains(id)) fields.Refuse("account", "", "the id of one of the accounts");
  return id;
}

std::set<engine::AccountId> AccountIdsOf(const VenueConfig& venue) {
  std::set<engine::AccountId> accounts;
  for (const AccountConfig& account : venue.accounts) accounts.insert(account.id);
  return accounts;
}

}  // namespace tools
