#include "tools/cli/serve/soup_login_fields.h"

#include "absl/strings/ascii.h"
#include "engine/wire/soup/login.h"
#include "tools/cli/serve/login_fields.h"

namespace tools {

void SoupLoginFields::Read(JsonFields& fields, std::string& user, std::string& password) {
  user = TakeUser(fields, engine::kSoupUserBytes);
  if (!users_.insert(absl::AsciiStrToUpper(user)).second) {
    fields.Refuse("user", "", "a user that no login before it has, in upper and lower case");
  }
  password = TakePassword(fields, engine::kSoupPasswordBytes);
}

}  // namespace tools
