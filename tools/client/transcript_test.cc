// Runs every transcript of testdata/client, each as a test of its name: order_*.txt drive the link
// of the orders alone, run_*.txt the whole client.
//
//   bazel run //tools/client:transcript_test -- --update
//
// rewrites the answers in the source tree. Commit them only when you understand what changed.

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "tools/client/testing/client_transcript.h"
#include "tools/client/testing/order_transcript.h"
#include "tools/strategy/testing/transcript_files.h"

namespace client {
namespace {

absl::StatusOr<std::string> RunTranscript(const std::string& stem, absl::string_view text) {
  const std::string file = absl::StrCat(stem, ".txt");
  return absl::StartsWith(stem, "order_") ? RunOrderTranscript(file, text)
                                          : RunClientTranscript(file, text);
}

}  // namespace
}  // namespace client

int main(int argc, char** argv) {
  return strategy::RunTranscriptFiles(argc, argv,
                                      {.folder = "testdata/client",
                                       .prefix = "",
                                       .test = "//tools/client:transcript_test",
                                       .run = client::RunTranscript});
}
