// Who may log in to a SoupBinTCP server, and with which password.

#ifndef ENGINE_WIRE_SOUP_LOGINS_H_
#define ENGINE_WIRE_SOUP_LOGINS_H_

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "engine/wire/soup/login.h"

namespace engine {

// Users and passwords are the same in upper and lower case.
class SoupLogins {
 public:
  // REQUIRES: no login before it has the user.
  void Add(absl::string_view user, absl::string_view password);

  // Returns the number of the login, from 0, in the order in which they were added. Takes the same
  // time for every request.
  std::optional<size_t> Find(const SoupLoginRequest& request) const;

 private:
  struct Login {
    std::string user;
    std::string password;  // Padded.
  };

  std::vector<Login> logins_;
};

}  // namespace engine

#endif  // ENGINE_WIRE_SOUP_LOGINS_H_
