// Any manifest is either rejected or survives formatting and parsing unchanged. Each input is tried
// with its own hash and with a correct one.

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "engine/base/digest.h"
#include "tools/cli/bundle/bundle.h"

namespace {

void Try(absl::string_view text) {
  const auto manifest = tools::ParseManifest(text);
  if (!manifest.ok()) return;
  for (const tools::BundledFile& file : manifest->files) CHECK(tools::IsBundledName(file.name));
  // A carriage return within a line is written as a space.
  const std::string written = tools::FormatManifest(*manifest);
  const auto again = tools::ParseManifest(written);
  CHECK(again.ok()) << written << ": " << again.status().message();
  CHECK(tools::FormatManifest(*again) == written) << written;
  CHECK_EQ(again->file_bytes(), manifest->file_bytes());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  Try(text);
  const std::string body = absl::StrCat(text, "\n");
  Try(absl::StrCat(body, "xxh3 ", engine::DigestOf(engine::AsBytes(body)).ToString(), "\n"));
  return 0;
}
