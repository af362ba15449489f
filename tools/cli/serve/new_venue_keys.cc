#include "tools/cli/serve/new_venue_keys.h"

#include <cstdint>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "engine/base/status_macros.h"
#include "tools/os/crypto/private_key.h"
#include "tools/os/entropy.h"
#include "tools/os/output_folder.h"
#include "tools/os/private_file.h"

namespace tools {
namespace {

// Version 4 of RFC 4122: random.
std::string NewUuid() {
  const uint64_t high = (RandomWord() & ~uint64_t{0xf000}) | 0x4000;
  const uint64_t low = (RandomWord() >> 2) | (uint64_t{1} << 63);
  return absl::StrFormat("%08x-%04x-%04x-%04x-%012x", high >> 32, (high >> 16) & 0xffff,
                         high & 0xffff, low >> 48, low & 0xffff'ffff'ffff);
}

}  // namespace

absl::StatusOr<std::vector<NewVenueKey>> MakeNewVenueKeys(const std::string& folder) {
  RETURN_IF_ERROR(MakeNewFolder(folder));
  std::vector<NewVenueKey> keys;
  for (const uint32_t account : {1, 2}) {
    for (const auto& [name, kind] :
         {std::pair("rsa", KeyKind::kRsa), std::pair("ed25519", KeyKind::kEd25519)}) {
      ASSIGN_OR_RETURN(const PrivateKey key, PrivateKey::Generate(kind));
      ASSIGN_OR_RETURN(const std::string pem, key.Pem());
      ASSIGN_OR_RETURN(std::string public_key, key.PublicPem());
      RETURN_IF_ERROR(
          WritePrivateFile(absl::StrCat(folder, "/account-", account, "-", name, ".pem"), pem));
      keys.push_back({.id = NewUuid(),
                      .account = engine::AccountId(account),
                      .public_key = std::move(public_key)});
    }
  }
  return keys;
}

}  // namespace tools
