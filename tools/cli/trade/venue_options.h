// The options of verbs that talk to a venue: where it is, and who asks.

#ifndef TOOLS_CLI_TRADE_VENUE_OPTIONS_H_
#define TOOLS_CLI_TRADE_VENUE_OPTIONS_H_

#include <string>

#include "absl/status/statusor.h"
#include "tools/cli/base/options.h"
#include "tools/os/crypto/private_key.h"
#include "tools/os/web/web_client.h"

namespace tools {

// Owned by a verb, whose options it declares.
class VenueOptions {
 public:
  void Declare(Options& options);

  // Errors: INVALID_ARGUMENT for addresses that are none, with what was expected.
  absl::StatusOr<WebTerms> Web() const;
  // Errors: those of ReadPrivateFile and PrivateKey::Parse, with the path.
  absl::StatusOr<PrivateKey> Key() const;
  const std::string& key_id() const { return key_id_; }
  const std::string& venue() const { return venue_; }

 private:
  std::string venue_;
  std::string feed_;
  std::string key_id_;
  std::string key_file_;
  std::string trusted_file_;
};

}  // namespace tools

#endif  // TOOLS_CLI_TRADE_VENUE_OPTIONS_H_
