// A program that serves an engine with one planted fault (replay/testing/known_bad_machine.h).
//
//   known_bad_engine FAULT [from=SEQUENCE] [account=NUMBER]

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "engine/messages/schema.h"
#include "engine/types/ids.h"
#include "replay/compare/event_stream.h"
#include "replay/compare/machine_subject.h"
#include "replay/semantics_version.h"
#include "replay/testing/known_bad_machine.h"
#include "tools/cli/base/stdio_channel.h"

namespace tools {
namespace {

int Refuse(absl::string_view why) {
  std::fprintf(stderr, "known_bad_engine: %s\n", std::string(why).c_str());
  return 2;
}

int Main(int argument_count, char** arguments) {
  if (argument_count < 2) return Refuse("no fault is named");
  auto options = replay::FindFault(arguments[1]);
  if (!options.ok()) return Refuse(options.status().message());
  std::string name = absl::StrCat("known bad: ", arguments[1]);
  for (int i = 2; i < argument_count; ++i) {
    absl::string_view word = arguments[i];
    absl::StrAppend(&name, " ", word);
    uint32_t account = 0;
    if (absl::ConsumePrefix(&word, "from=") && absl::SimpleAtoi(word, &options->from)) continue;
    if (absl::ConsumePrefix(&word, "account=") && absl::SimpleAtoi(word, &account)) {
      options->account = engine::AccountId(account);
      continue;
    }
    return Refuse(absl::StrCat("what is ", arguments[i], "?"));
  }
  replay::MachineSubject subject(
      {.name = name, .build_id = name, .semantics_version = replay::kSemanticsVersion},
      [&] { return std::make_unique<replay::KnownBadMachine>(*options); });
  StdioChannel channel;
  const absl::Status status =
      replay::EventStreamServer(channel, subject, engine::CommandSchemaId()).Run();
  return status.ok() ? 0 : Refuse(status.message());
}

}  // namespace
}  // namespace tools

int main(int argument_count, char** arguments) { return tools::Main(argument_count, arguments); }
