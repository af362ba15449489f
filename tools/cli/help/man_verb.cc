// ticktape man: prints the manual page.

#include <memory>

#include "absl/status/statusor.h"
#include "tools/cli/base/console_text.h"
#include "tools/cli/base/options.h"
#include "tools/cli/help/command_tree.h"
#include "tools/cli/help/man_page.h"
#include "tools/cli/help/verbs.h"

namespace tools {
namespace {

class ManVerb final : public Verb {
 public:
  const char* name() const override { return "man"; }
  const char* summary() const override { return "Print the manual page, in roff"; }
  const char* examples() const override {
    return "  ticktape man | man -l -\n"
           "  ticktape man > ~/.local/share/man/man1/ticktape.1";
  }
  void Declare(Options& options) override { parser_ = &options.parser(); }
  absl::StatusOr<ExitCode> Run(Console& console) override {
    console.Print(ConsoleText::Lines(ManPage(DescribeProgram(*parser_))));
    return ExitCode::kOk;
  }

 private:
  CLI::App* parser_ = nullptr;
};

}  // namespace

std::unique_ptr<Verb> MakeManVerb() { return std::make_unique<ManVerb>(); }

}  // namespace tools
