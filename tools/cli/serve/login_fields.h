// The texts of a login in the file of a venue, for the protocols whose frames have fields for them.

#ifndef TOOLS_CLI_SERVE_LOGIN_FIELDS_H_
#define TOOLS_CLI_SERVE_LOGIN_FIELDS_H_

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>

#include "absl/strings/string_view.h"
#include "engine/types/ids.h"
#include "tools/cli/base/json_fields.h"
#include "tools/serve/venue_config.h"

namespace tools {

// Whether it has so many characters, all of them printable ASCII without spaces.
bool IsWord(absl::string_view text, size_t bytes_min, size_t bytes_max);

// "listen" and "connections_max".
void TakeListen(JsonFields& fields, absl::string_view example, std::string& listen,
                uint32_t& connections_max);

// "user", of at most that many characters; uniqueness is the caller's.
std::string TakeUser(JsonFields& fields, size_t bytes_max);

// "password", of at least 8 characters. No error shows it.
std::string TakePassword(JsonFields& fields, size_t bytes_max);

// "account", one of these.
engine::AccountId TakeAccount(JsonFields& fields, const std::set<engine::AccountId>& accounts);

std::set<engine::AccountId> AccountIdsOf(const VenueConfig& venue);

}  // namespace tools

#endif  // TOOLS_CLI_SERVE_LOGIN_FIELDS_H_
