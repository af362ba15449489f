#include "tools/cli/testing/run_verb.h"

#include <CLI/CLI.hpp>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "tools/cli/base/console.h"
#include "tools/cli/base/console_text.h"
#include "tools/cli/base/options.h"

namespace tools {

VerbResult RunVerb(std::unique_ptr<Verb> verb, const std::vector<std::string>& words) {
  VerbResult result;
  Console console([&](absl::string_view text) { absl::StrAppend(&result.output, text); },
                  [&](absl::string_view text) { absl::StrAppend(&result.error, text); }, {});
  CLI::App app(verb->summary(), verb->name());
  bool json = false;
  bool quiet = false;
  Options options(app);
  verb->Declare(options);
  app.add_flag("--json", json);
  app.add_flag("-q,--quiet", quiet);
  try {
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
  } catch (const CLI::ParseError& error) {
    result.code = ExitCode::kUsage;
    result.error = error.what();
    return result;
  }
  console.set_json(json);
  console.set_quiet(quiet);
  const absl::StatusOr<ExitCode> code = verb->Run(console);
  console.Flush();
  if (!code.ok()) console.Error(ConsoleText::Message(code.status().message()));
  EXPECT_EQ(result.output.find('\x1b'), std::string::npos) << "styles, but not on a terminal";
  result.code = code.ok() ? *code : ExitCodeOf(code.status().code());
  return result;
}

}  // namespace tools
