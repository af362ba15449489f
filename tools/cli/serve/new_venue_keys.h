// The keys with which clients of Kalshi's API sign, made for a new venue.

#ifndef TOOLS_CLI_SERVE_NEW_VENUE_KEYS_H_
#define TOOLS_CLI_SERVE_NEW_VENUE_KEYS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/types/ids.h"

namespace tools {

struct NewVenueKey {
  std::string id;  // A UUID.
  engine::AccountId account;
  std::string public_key;  // In PEM.
};

// Makes an RSA and an Ed25519 key for each of the accounts 1 and 2. Their private halves become
// files of their own in the new folder, as account-1-rsa.pem, for its user alone.
// Errors: those of MakeNewFolder, WritePrivateFile and PrivateKey.
absl::StatusOr<std::vector<NewVenueKey>> MakeNewVenueKeys(const std::string& folder);

}  // namespace tools

#endif  // TOOLS_CLI_SERVE_NEW_VENUE_KEYS_H_
