// The fields "user" and "password" of logins by SoupBinTCP, in the file of a venue.

#ifndef TOOLS_CLI_SERVE_SOUP_LOGIN_FIELDS_H_
#define TOOLS_CLI_SERVE_SOUP_LOGIN_FIELDS_H_

#include <set>
#include <string>

#include "tools/cli/base/json_fields.h"

namespace tools {

// Of one list of logins.
class SoupLoginFields {
 public:
  // Refuses a user that a login before it has, in upper or lower case. No error shows a password.
  void Read(JsonFields& fields, std::string& user, std::string& password);

 private:
  std::set<std::string> users_;  // In upper case.
};

}  // namespace tools

#endif  // TOOLS_CLI_SERVE_SOUP_LOGIN_FIELDS_H_
