// The certificate and the key of 'ticktape serve --tls': those of the venue file, or own ones.
//
//   kalshi.certificate, kalshi.private_key ─────────────────► read
//   none: DIR/tls_certificate.pem, DIR/tls_key.pem ─ there? ─► read
//                                                  └─ not ───► made, written, read at later starts

#ifndef TOOLS_CLI_SERVE_TLS_IDENTITY_H_
#define TOOLS_CLI_SERVE_TLS_IDENTITY_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/base/timestamp.h"
#include "tools/os/crypto/certificate.h"
#include "tools/serve/venue_config.h"

namespace tools {

struct TlsIdentity {
  ServerIdentity identity;
  std::string certificate_file;
  // OK, or why clients refuse the certificate, with its file.
  absl::Status fitness;
};

// Of the venue in `folder`, which is to listen on config.listen, at `now`. Without files in
// `config`, makes those that are missing: the key, for its user alone, and its certificate. Errors:
// INVALID_ARGUMENT with the file, if it holds something else, or with config.listen; those of
// Input, WriteFile, ReadPrivateFile and WritePrivateFile.
absl::StatusOr<TlsIdentity> TakeTlsIdentity(const KalshiConfig& config, absl::string_view folder,
                                            engine::Timestamp now);

}  // namespace tools

#endif  // TOOLS_CLI_SERVE_TLS_IDENTITY_H_
