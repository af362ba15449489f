#include "tools/cli/serve/soup_login_fields.h"

#include <cstddef>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "engine/wire/soup/login.h"
#include "tools/cli/serve/words.h"

namespace tools {
namespace {

constexpr size_t kPasswordBytesMin = 8;

}  // namespace

void SoupLoginFields::Read(JsonFields& fields, std::string& user, std::string& password) {
  user = fields.Text("user");
  if (!IsGraphicWord(user, 1, engine::kSoupUserBytes)) {
    return fields.Refuse("user", "", "1 to 6 printable ASCII characters without spaces");
  }
  if (!users_.insert(absl::AsciiStrToUpper(user)).second) {
    return fields.Refuse("user", "", "a user that no login before it has, in upper and lower case");
  }
  const bool is_given = fields.Has("password");
  password = fields.Text("password");
  if (IsGraphicWord(password, kPasswordBytesMin, engine::kSoupPasswordBytes)) return;
  fields.RefuseHidden(
      "password",
      is_given ? absl::StrCat("another value of ", password.size(), " bytes") : "nothing",
      "8 to 10 printable ASCII characters without spaces");
}

}  // namespace tools
