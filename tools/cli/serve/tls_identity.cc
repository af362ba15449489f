#include "tools/cli/serve/tls_identity.h"

#include <filesystem>
#include <memory>

#include "absl/strings/str_cat.h"
#include "engine/base/bytes.h"
#include "engine/base/status_macros.h"
#include "tools/cli/base/files.h"
#include "tools/os/input.h"
#include "tools/os/network/endpoint.h"
#include "tools/os/output_folder.h"
#include "tools/os/private_file.h"

namespace tools {
namespace {

struct TlsFiles {
  std::string certificate;
  std::string key;
};

std::string PathIn(absl::string_view folder, const std::string& file) {
  return (std::filesystem::path(std::string(folder)) / file).string();
}

// The address that clients connect to; empty for a socket's file.
absl::StatusOr<std::string> IpOf(const KalshiConfig& config) {
  ASSIGN_OR_RETURN(const Endpoint endpoint, Endpoint::Parse(config.listen));
  return endpoint.family == Endpoint::Family::kUnix ? std::string() : endpoint.host;
}

// The key is first: a certificate without it is of no use.
absl::Status MakeMissing(const TlsFiles& files, absl::string_view ip, engine::Timestamp now) {
  if (!CheckNothingIsAt(files.certificate).ok()) return absl::OkStatus();
  if (CheckNothingIsAt(files.key).ok()) {
    ASSIGN_OR_RETURN(const std::string key, MakeServerKey());
    RETURN_IF_ERROR(WritePrivateFile(files.key, key));
  }
  ASSIGN_OR_RETURN(const std::string key, ReadPrivateFile(files.key, kIdentityBytesMax));
  const absl::StatusOr<std::string> certificate = MakeLocalCertificate(key, ip, now);
  if (!certificate.ok()) return ErrorIn(files.key, certificate.status());
  return WriteFile(files.certificate, *certificate, /*replace=*/false);
}

// The file is no secret. It may be cut after kIdentityBytesMax.
absl::StatusOr<std::string> ReadCertificate(const std::string& path) {
  ASSIGN_OR_RETURN(const std::unique_ptr<Input> input, Input::Open(path));
  std::string text;
  while (text.size() <= kIdentityBytesMax) {
    ASSIGN_OR_RETURN(const engine::Bytes bytes, input->Read());
    if (bytes.empty()) break;
    absl::StrAppend(&text, engine::AsText(bytes));
  }
  return text;
}

}  // namespace

absl::StatusOr<TlsIdentity> TakeTlsIdentity(const KalshiConfig& config, absl::string_view folder,
                                            engine::Timestamp now) {
  const bool is_own = config.certificate.empty();
  const TlsFiles files = {
      .certificate = PathIn(folder, is_own ? "tls_certificate.pem" : config.certificate),
      .key = PathIn(folder, is_own ? "tls_key.pem" : config.private_key)};
  std::string ip;  // Another one's certificate may be for names that are not known here.
  if (is_own) {
    ASSIGN_OR_RETURN(ip, IpOf(config));
    RETURN_IF_ERROR(MakeMissing(files, ip, now));
  }
  TlsIdentity taken = {.identity = {}, .certificate_file = files.certificate, .fitness = {}};
  ASSIGN_OR_RETURN(taken.identity.certificate, ReadCertificate(files.certificate));
  ASSIGN_OR_RETURN(taken.identity.key, ReadPrivateFile(files.key, kIdentityBytesMax));
  const absl::Status fitness = CheckCertificate(taken.identity.certificate, ip, now);
  if (!fitness.ok()) taken.fitness = ErrorIn(files.certificate, fitness);
  if (absl::IsInvalidArgument(fitness)) return taken.fitness;
  const absl::Status matches = CheckKey(taken.identity);
  if (!matches.ok()) return ErrorIn(files.key, matches);
  return taken;
}

}  // namespace tools
