// ticktape completions: prints a completion script for a shell.

#include <map>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "tools/cli/base/console_text.h"
#include "tools/cli/base/options.h"
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
  void Declare(Options& options) override {
    const std::map<std::string, Shell> shells = {
        {"bash", Shell::kBash}, {"zsh", Shell::kZsh}, {"fish", Shell::kFish}};
    parser_ = &options.parser();
    options.AddChoice("shell", shell_, shells, "bash, zsh or fish").Required().Type("SHELL");
  }
  absl::StatusOr<ExitCode> Run(Console& console) override {
    const Command program = DescribeProgram(*parser_);
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
  CLI::App* parser_ = nullptr;
  Shell shell_ = Shell::kBash;
};

}  // namespace

std::unique_ptr<Verb> MakeCompletionsVerb() { return std::make_unique<CompletionsVerb>(); }

}  // namespace tools
