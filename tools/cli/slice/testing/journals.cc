#include "tools/cli/slice/testing/journals.h"

#include "absl/strings/str_cat.h"
#include "engine/base/check.h"
#include "gtest/gtest.h"
#include "replay/command_row.h"
#include "replay/log_source.h"
#include "replay/testing/busy_session.h"
#include "tools/cli/base/verbs.h"
#include "tools/cli/slice/new_journals.h"
#include "tools/cli/testing/run_verb.h"

namespace tools {

std::string At(absl::string_view name) { return absl::StrCat(testing::TempDir(), "/", name); }

std::string WriteBusy(absl::string_view name, size_t length, uint64_t seed) {
  const std::string path = At(name);
  auto output = JournalOutput::Create(path, "a test", "", name);
  CHECK_OK(output.status());
  for (const replay::LogEntry& entry :
       replay::BusySession({.seed = seed, .length = length, .late_from = 0, .live_orders = 300})) {
    CHECK_OK((*output)->Append(replay::ToCommand(entry.row), entry.bytes()).status());
  }
  CHECK_OK((*output)->Finish().status());
  return path;
}

std::string JsonValue(const std::string& json, absl::string_view name) {
  const std::string key = absl::StrCat("\"", name, "\":\"");
  const size_t begin = json.find(key);
  if (begin == std::string::npos) return "";
  return json.substr(begin + key.size(), json.find('"', begin + key.size()) - begin - key.size());
}

std::string Verify(const std::string& path) {
  const VerbResult result = RunVerb(MakeVerifyVerb(), {path, "--replay"});
  return result.output + result.error;
}

std::string LogDigest(const std::string& path) {
  return JsonValue(RunVerb(MakeVerifyVerb(), {path, "--deep", "--json"}).output, "log_digest");
}

std::string Cat(const std::string& path) { return RunVerb(MakeCatVerb(), {path}).output; }

}  // namespace tools
