// Runs every transcript testdata/client/order_*.txt, each as a test of its name.
//
//   bazel run //tools/client:transcript_test -- --update
//
// rewrites the answers in the source tree. Commit them only when you understand what changed.

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "tools/client/testing/order_transcript.h"
#include "tools/strategy/testing/transcript_files.h"

int main(int argc, char** argv) {
  return strategy::RunTranscriptFiles(argc, argv,
                                      {.folder = "testdata/client",
                                       .prefix = "order_",
                                       .test = "//tools/client:transcript_test",
                                       .run = [](const std::string& stem, absl::string_view text) {
                                         return client::RunOrderTranscript(
                                             absl::StrCat(stem, ".txt"), text);
                                       }});
}
