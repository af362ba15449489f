// What it takes to check the signature of one request.

#include <string>

#include "benchmark/benchmark.h"
#include "engine/base/check.h"
#include "tools/os/crypto/private_key.h"
#include "tools/os/crypto/public_key.h"

namespace tools {
namespace {

void BM_VerifyBase64(benchmark::State& state, KeyKind kind) {
  const std::string message = "1703123456789POST/trade-api/v2/portfolio/orders";
  const PrivateKey signer = PrivateKey::Generate(kind).value();
  const PublicKey key = PublicKey::Parse(signer.PublicPem().value()).value();
  const std::string signature = signer.SignBase64(message).value();
  for (const auto _ : state) CHECK(key.VerifyBase64(message, signature));
}

BENCHMARK_CAPTURE(BM_VerifyBase64, rsa_2048, KeyKind::kRsa);
BENCHMARK_CAPTURE(BM_VerifyBase64, ed25519, KeyKind::kEd25519);

}  // namespace
}  // namespace tools
