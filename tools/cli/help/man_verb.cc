// ticktape man: prints the manual page.

#include "absl/strings/ascii.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "tools/cli/base/nearest_word.h"
#include "tools/cli/base/verb_includes.h"
#include "tools/cli/help/command_tree.h"
#include "tools/cli/help/manual_entries.h"

namespace tools {
namespace {

// Escapes text for any position: hyphens can be pasted, and no line begins a request.
std::string Escaped(absl::string_view text) {
  std::string escaped = absl::StrReplaceAll(
      text, {{"\\", "\\e"}, {"-", "\\-"}, {"'", "\\(aq"}, {"\"", "\\(dq"}, {"…", "..."}});
  if (!escaped.empty() && escaped.front() == '.') escaped.insert(0, "\\&");
  return escaped;
}

// Appends text that may be refilled, in lines of limited length, and ends it as a sentence.
void Paragraph(absl::string_view text, std::string& out) {
  constexpr size_t kLineBytes = 79;
  std::string line;
  const auto end_line = [&] {
    if (!line.empty()) absl::StrAppend(&out, Escaped(line), "\n");
    line.clear();
  };
  for (const absl::string_view word :
       absl::StrSplit(text, absl::ByAnyChar(" \n"), absl::SkipEmpty())) {
    if (Escaped(absl::StrCat(line, " ", word)).size() > kLineBytes) end_line();
    absl::StrAppend(&line, line.empty() ? "" : " ", word);
  }
  if (!line.empty() && absl::ascii_isalnum(static_cast<unsigned char>(line.back()))) line += '.';
  end_line();
}

std::string Bold(absl::string_view text) { return absl::StrCat("\\fB", Escaped(text), "\\fR"); }
std::string Italic(absl::string_view text) { return absl::StrCat("\\fI", Escaped(text), "\\fR"); }

void AppendOption(const CommandOption& option, bool is_argument, std::string& out) {
  out += ".TP\n";
  std::vector<std::string> names;
  for (const std::string& name : option.names) {
    names.push_back(is_argument ? Italic(name) : Bold(name));
  }
  out += absl::StrJoin(names, ", ");
  if (!is_argument && option.takes_value()) absl::StrAppend(&out, " ", Italic(option.type));
  if (is_argument && option.is_repeated) out += " ...";
  out += "\n";
  Paragraph(option.help, out);
  if (!option.default_value.empty()) {
    absl::StrAppend(&out, "Default: ", Escaped(option.default_value), ".\n");
  }
  if (option.is_required && !is_argument) out += "Required.\n";
}

// Appends examples and tables unchanged.
void Verbatim(absl::string_view text, std::string& out) {
  text = absl::StripSuffix(absl::StripPrefix(text, "\n"), "\n");
  if (text.empty()) return;
  out += ".nf\n";
  for (const absl::string_view line : absl::StrSplit(text, '\n')) {
    absl::StrAppend(&out, line.empty() ? "\\&" : Escaped(line), "\n");
  }
  out += ".fi\n";
}

std::string Synopsis(const Command& command, absl::string_view title) {
  std::string synopsis = Bold(title);
  for (const CommandOption& option : command.options) {
    if (!option.is_required) continue;
    absl::StrAppend(&synopsis, " ", Bold(option.names.front()), " ", Italic(option.type));
  }
  for (const CommandOption& argument : command.arguments) {
    const std::string name =
        absl::StrCat(Italic(argument.names.front()), argument.is_repeated ? " ..." : "");
    absl::StrAppend(&synopsis, " ", argument.is_required ? name : absl::StrCat("[", name, "]"));
  }
  if (!command.commands.empty()) absl::StrAppend(&synopsis, " ", Italic("command"));
  return absl::StrCat(synopsis, " [", Italic("options"), "]\n");
}

void AppendOptions(const Command& command, std::string& out) {
  for (const CommandOption& argument : command.arguments) AppendOption(argument, true, out);
  for (const CommandOption& option : command.options) {
    if (option.names.front() != "--help") AppendOption(option, false, out);
  }
}

void Section(const Command& command, std::string& out) {
  const std::string title = absl::StrCat("ticktape ", command.path);
  absl::StrAppend(&out, ".SS \"", Escaped(title), "\"\n");
  Paragraph(command.summary, out);
  absl::StrAppend(&out, ".PP\n", Synopsis(command, title));
  AppendOptions(command, out);
  out += ".PP\n";
  Verbatim(command.footer, out);
  for (const Command& child : command.commands) Section(child, out);
}

// Appends exit codes, variables and files: of a verb, or of the program if `verb` is empty.
void AppendManualEntries(absl::string_view verb, std::string& out) {
  const auto append = [&](absl::string_view title, const std::vector<ManualEntry>& entries) {
    absl::StrAppend(&out, ".SH \"", title, "\"\n");
    if (entries.empty()) Paragraph("None.", out);
    for (const ManualEntry& entry : entries) {
      absl::StrAppend(&out, ".TP\n", Bold(entry.name), "\n");
      Paragraph(entry.meaning, out);
    }
  };
  append("EXIT STATUS", ExitCodesOf(verb));
  append("ENVIRONMENT", VariablesOf(verb));
  append("FILES", FilesOf(verb));
}

std::string Header(absl::string_view name, absl::string_view summary) {
  return absl::StrCat(".\\\" Made by 'ticktape man'.\n.TH ", absl::AsciiStrToUpper(Escaped(name)),
                      " 1 \"2026-11-26\" \"ticktape\" \"Ticktape\"\n.SH NAME\n", Escaped(name),
                      " \\- ", Escaped(summary), "\n.SH SYNOPSIS\n");
}

// ticktape-VERB(1), which has the verb's actions, too.
std::string VerbPage(const Command& verb) {
  const std::string title = absl::StrCat("ticktape ", verb.path);
  std::string out = Header(absl::StrCat("ticktape-", verb.name), verb.summary);
  absl::StrAppend(&out, Synopsis(verb, title), ".SH OPTIONS\n");
  AppendOptions(verb, out);
  for (const Command& action : verb.commands) Section(action, out);
  if (!verb.footer.empty()) {
    out += ".SH EXAMPLES AND NOTES\n";
    Verbatim(verb.footer, out);
  }
  AppendManualEntries(verb.name, out);
  out += ".SH SEE ALSO\n.BR ticktape (1)\n";
  return out;
}

// Returns ticktape(1): every command with its arguments, options and examples. Uses man(7) macros.
std::string ManPage(const Command& program) {
  std::string out =
      Header("ticktape", "a deterministic, event-sourced exchange engine with replay tooling");
  absl::StrAppend(&out, Bold("ticktape"), " ", Italic("verb"), " [", Italic("options"), "]\n");
  out += ".SH DESCRIPTION\n";
  Paragraph(program.summary, out);
  out += ".SH OPTIONS\n";
  AppendOptions(program, out);
  out += ".SH VERBS\nEvery verb has \\fB\\-\\-help\\fR.\n";
  for (const Command& verb : program.commands) Section(verb, out);
  AppendManualEntries("", out);
  out += ".SH NOTES\n";
  Verbatim(program.footer, out);
  return out;
}

constexpr char kExamples[] = R"(  ticktape man | man -l -
  ticktape man record | man -l -
  ticktape man -o ~/.local/share/man/man1

-o writes ticktape.1 and a ticktape-VERB.1 of each verb into a folder that exists.)";

class ManVerb final : public Verb {
 public:
  ManVerb() : Verb("man", "Print a manual page, in roff", kExamples) {}

  void Declare(Options& options) override {
    parser_ = &options.parser();
    const Option verb = options.Add("verb", verb_, "Its page; default: that of the program");
    options.Add("-o,--output", output_, "Write all pages there").Type("DIR").Excludes(verb);
  }
  absl::StatusOr<ExitCode> Run(Console& console) override {
    const Command program = DescribeProgram(*parser_);
    if (output_.has_value()) return WriteAll(program, console);
    if (!verb_.has_value()) {
      console.Print(ConsoleText::Lines(ManPage(program)));
      return ExitCode::kOk;
    }
    std::vector<std::string> names;
    for (const Command& verb : program.commands) {
      names.push_back(verb.name);
      if (verb.name != *verb_) continue;
      console.Print(ConsoleText::Lines(VerbPage(verb)));
      return ExitCode::kOk;
    }
    return absl::InvalidArgumentError(NoSuchWord("verb", *verb_, names));
  }

 private:
  absl::StatusOr<ExitCode> WriteAll(const Command& program, Console& console) const {
    const std::string stem = absl::StrCat(*output_, "/ticktape");
    RETURN_IF_ERROR(WriteFile(absl::StrCat(stem, ".1"), ManPage(program), /*replace=*/true));
    for (const Command& verb : program.commands) {
      RETURN_IF_ERROR(
          WriteFile(absl::StrCat(stem, "-", verb.name, ".1"), VerbPage(verb), /*replace=*/true));
    }
    console.PrintLine(stem, ".1 and ", Counted(program.commands.size(), "page"), " of verbs");
    return ExitCode::kOk;
  }

  CLI::App* parser_ = nullptr;
  std::optional<std::string> verb_;
  std::optional<std::string> output_;
};

}  // namespace

std::unique_ptr<Verb> MakeManVerb() { return std::make_unique<ManVerb>(); }

}  // namespace tools
