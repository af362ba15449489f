// corrupt: makes a damaged copy of a journal, for tests and for trying verify and repair.

#include <cstdio>
#include <string>
#include <vector>

#include "tools/cli/slice/testing/corrupt.h"
#include "tools/cli/testing/run_verb.h"

int main(int argument_count, char** arguments) {
  const tools::VerbResult result =
      tools::RunVerb(tools::MakeCorruptVerb(),
                     std::vector<std::string>(arguments + 1, arguments + argument_count));
  std::fputs(result.output.c_str(), stdout);
  std::fputs(result.error.c_str(), stderr);
  if (!result.error.empty()) std::fputc('\n', stderr);
  return static_cast<int>(result.code);
}
