// ticktape completions: a script that teaches a shell to complete command lines.

#include <CLI/CLI.hpp>
#include <map>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "tools/cli/base/console_text.h"
#include "tools/cli/base/option_values.h"
#include "tools/cli/help/command_tree.h"
#include "tools/cli/help/completions.h"
#include "tools/cli/help/verbs.h"

namespace tools {
namespace {

enum class Shell { kBash, kZsh, kFish };

class CompletionsVerb final : public Verb {
 public:
  const char* name() const override { return "completions"; }
  const char* summary() const override { return "Print completions for bash, zsh or fish"; }
  const char* examples() const override {
    return "  source <(ticktape completions bash)\n"
           "  ticktape completions bash > ~/.local/share/bash-completion/completions/ticktape\n"
           "  ticktape completions zsh > ~/.zfunc/_ticktape       (a folder of $fpath)\n"
           "  ticktape completions fish > ~/.config/fish/completions/ticktape.fish";
  }
  void Declare(CLI::App& app) override {
    const std::map<std::string, Shell> shells = {
        {"bash", Shell::kBash}, {"zsh", Shell::kZsh}, {"fish", Shell::kFish}};
    app_ = &app;
    app.add_option("shell", shell_, "bash, zsh or fish")
        ->required()
        ->type_name("SHELL")
        ->transform(OneOf(shells));
  }
  absl::StatusOr<ExitCode> Run(Console& console) override {
    CLI::App* const parent = app_->get_parent();
    const Command program = DescribeCommand(parent == nullptr ? *app_ : *parent);
    switch (shell_) {
      case Shell::kBash:
        console.Print(ConsoleText::Lines(BashCompletions(program)));
        break;
      case Shell::kZsh:
        console.Print(ConsoleText::Lines(ZshCompletions(program)));
        break;
      case Shell::kFish:
        console.Print(ConsoleText::Lines(FishCompletions(program)));
        break;
    }
    return ExitCode::kOk;
  }

 private:
  CLI::App* app_ = nullptr;
  Shell shell_ = Shell::kBash;
};

}  // namespace

std::unique_ptr<Verb> MakeCompletionsVerb() { return std::make_unique<CompletionsVerb>(); }

}  // namespace tools
