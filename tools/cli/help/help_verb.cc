// ticktape help: prints the help of the program or of a verb.

#include "tools/cli/base/verb_includes.h"
#include "tools/cli/help/command_tree.h"

namespace tools {
namespace {

constexpr char kExamples[] = R"(  ticktape help
  ticktape help record
  ticktape help snapshot make)";

class HelpVerb final : public Verb {
 public:
  HelpVerb() : Verb("help", "Show the help of a verb, as VERB --help does", kExamples) {}

  void Declare(Options& options) override {
    parser_ = &options.parser();
    options.Add("verb", path_, "A verb, and its action if it has some").Type("VERB...");
  }
  absl::StatusOr<ExitCode> Run(Console& console) override {
    ASSIGN_OR_RETURN(const std::string help, HelpOf(*parser_, path_));
    console.Print(ConsoleText::Lines(help));
    return ExitCode::kOk;
  }

 private:
  CLI::App* parser_ = nullptr;
  std::vector<std::string> path_;
};

}  // namespace

std::unique_ptr<Verb> MakeHelpVerb() { return std::make_unique<HelpVerb>(); }

}  // namespace tools
