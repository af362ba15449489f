// ticktape man: the manual page.

#include <CLI/CLI.hpp>
#include <memory>

#include "absl/status/statusor.h"
#include "tools/cli/base/console_text.h"
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
  void Declare(CLI::App& app) override { app_ = &app; }
  absl::StatusOr<ExitCode> Run(Console& console) override {
    CLI::App* const parent = app_->get_parent();
    console.Print(
        ConsoleText::Lines(ManPage(DescribeCommand(parent == nullptr ? *app_ : *parent))));
    return ExitCode::kOk;
  }

 private:
  CLI::App* app_ = nullptr;
};

}  // namespace

std::unique_ptr<Verb> MakeManVerb() { return std::make_unique<ManVerb>(); }

}  // namespace tools
