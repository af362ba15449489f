#include "tools/cli/serve/kalshi_lines.h"

#include <filesystem>
#include <system_error>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "tools/cli/base/files.h"
#include "tools/os/crypto/public_key.h"

namespace tools {
namespace {

// The private half of a key, if serve --init made it; empty otherwise.
std::string PrivateFileOf(const KalshiKeyConfig& key, const std::string& folder) {
  const absl::StatusOr<PublicKey> parsed = PublicKey::Parse(key.public_key);
  if (!parsed.ok()) return {};
  const absl::string_view kind = parsed->kind() == KeyKind::kRsa ? "rsa" : "ed25519";
  std::string path = absl::StrCat(folder, "/account-", key.account.value(), "-", kind, ".pem");
  std::error_code error;
  return std::filesystem::exists(path, error) ? path : std::string();
}

}  // namespace

void PrintKalshiLines(const KalshiConfig& config, const std::string& keys_folder,
                      absl::string_view address, const std::string& certificate, Console& console) {
  const bool is_tls = !certificate.empty();
  const std::string rest = absl::StrCat(is_tls ? "https://" : "http://", address, "/trade-api/v2");
  console.PrintLine("Kalshi's API:  ", rest);
  console.PrintLine("  WebSocket:   ", is_tls ? "wss://" : "ws://", address, "/trade-api/ws/v2");
  if (is_tls) console.PrintLine("  certificate: ", certificate);
  const KalshiKeyConfig* shown = nullptr;
  std::string shown_file;
  for (const KalshiKeyConfig& key : config.keys) {
    const std::string file = PrivateFileOf(key, keys_folder);
    console.PrintLine("  key:         ", key.id, " of account ", key.account.value(),
                      file.empty() ? "" : ", signed with ", file);
    if (shown == nullptr && !file.empty()) {
      shown = &key;
      shown_file = file;
    }
  }
  const std::string trusted = is_tls ? ShellWord(certificate) : std::string();
  console.PrintLine("  try:         curl -s ", is_tls ? "--cacert " : "", trusted,
                    is_tls ? " " : "", rest, "/markets?limit=1");
  if (shown == nullptr) return;
  console.PrintLine("  try:         pip install pykalshi && ", is_tls ? "SSL_CERT_FILE=" : "",
                    trusted, is_tls ? " " : "", "python3 -c 'import pykalshi; print(",
                    "pykalshi.KalshiClient(api_key_id=\"", shown->id, "\", private_key_path=\"",
                    shown_file, "\", api_base=\"", rest, "\").portfolio.get_balance())'");
}

}  // namespace tools
