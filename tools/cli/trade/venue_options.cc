#include "tools/cli/trade/venue_options.h"

#include <cstddef>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/status_macros.h"
#include "tools/os/private_file.h"
#include "tools/os/web/web_address.h"

namespace tools {
namespace {

constexpr absl::string_view kRestPath = "/trade-api/v2";
constexpr absl::string_view kFeedPath = "/trade-api/ws/v2";
constexpr size_t kKeyBytesMax = 64 << 10;

}  // namespace

void VenueOptions::Declare(Options& options) {
  options.Add("--venue", venue_, "Its address: https://HOST[:PORT], or http:// for one of your own")
      .Type("URL")
      .Required();
  options.Add("--feed", feed_, "The WebSocket's address, if it is another: wss://HOST[:PORT]")
      .Type("URL");
  options.Add("--key-id", key_id_, "The id of the API key").Type("ID").Required();
  options
      .Add("--key", key_file_,
           "Its private half, PEM of RSA or Ed25519, which only you can read (chmod 600)")
      .Type("FILE")
      .Required();
  options.Add("--trust", trusted_file_, "PEM of the certificate to trust, instead of the system's")
      .Type("FILE");
}

absl::StatusOr<WebTerms> VenueOptions::Web() const {
  WebTerms terms;
  terms.authority_file = trusted_file_;
  ASSIGN_OR_RETURN(terms.rest, ParseWebAddress(venue_));
  if (feed_.empty()) {
    terms.feed = terms.rest;
  } else {
    ASSIGN_OR_RETURN(terms.feed, ParseWebAddress(feed_));
  }
  for (const WebAddress* const address : {&terms.rest, &terms.feed}) {
    if (address->path != "/" && !address->path.empty() &&
        !absl::StartsWith(address->path, "/trade-api/")) {
      return absl::InvalidArgumentError(absl::StrCat(
          "the venue's address ends with its host or with ", kRestPath, ", not ", address->path));
    }
  }
  terms.rest.path = std::string(kRestPath);
  terms.feed.path = std::string(kFeedPath);
  return terms;
}

absl::StatusOr<PrivateKey> VenueOptions::Key() const {
  ASSIGN_OR_RETURN(const std::string pem, ReadPrivateFile(key_file_, kKeyBytesMax));
  absl::StatusOr<PrivateKey> key = PrivateKey::Parse(pem);
  if (key.ok()) return key;
  return absl::Status(key.status().code(), absl::StrCat(key_file_, ": ", key.status().message()));
}

}  // namespace tools
