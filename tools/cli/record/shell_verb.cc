// ticktape shell: the text protocol on standard input, journalled.

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "tools/cli/base/verb_includes.h"
#include "tools/cli/record/line_editor.h"
#include "tools/cli/record/recording.h"
#include "tools/cli/record/text_conversation.h"
#include "tools/os/clocks.h"
#include "tools/os/history_file.h"
#include "tools/os/input.h"
#include "tools/os/output_folder.h"

namespace tools {
namespace {

// A writer that was killed before it wrote anything leaves a folder without a journal, which is
// then created.
absl::StatusOr<bool> HasSegment(const std::string& path) {
  const auto directory = journal::OpenPosixDirectory(path, journal::DirectoryMode::kReadOnly);
  if (absl::IsNotFound(directory.status())) return false;
  RETURN_IF_ERROR(directory.status());
  ASSIGN_OR_RETURN(const std::vector<std::string> files, (*directory)->List());
  ASSIGN_OR_RETURN(const std::vector<std::string> others, (*directory)->ListOthers());
  const auto is_segment = [](const std::string& name) {
    return name.starts_with("segment-") && name.ends_with(".tape");
  };
  return std::ranges::any_of(files, is_segment) || std::ranges::any_of(others, is_segment);
}

// The history of the typed lines, in the editor and in its file. Without a file, one note says why,
// and the history is that of this run.
class TypedLines {
 public:
  TypedLines(LineEditor& editor, Console& console) : editor_(editor), console_(console) {
    const std::string path = HistoryPath("shell_history");
    if (path.empty()) return;
    auto opened = HistoryFile::Open(path);
    if (!opened.ok()) {
      NoteOnce(opened.status());
      return;
    }
    file_ = *std::move(opened);
    for (const std::string& line : file_->lines()) editor_.Remember(line);
  }

  void Add(const std::string& line) {
    if (absl::StripAsciiWhitespace(line).empty()) return;
    editor_.Remember(line);
    if (file_ == nullptr) return;
    const absl::Status written = file_->Append(line);
    if (!written.ok()) NoteOnce(written);
  }

 private:
  void NoteOnce(const absl::Status& status) {
    file_ = nullptr;
    console_.Note("note: the history is not kept: ", status.message());
  }

  LineEditor& editor_;
  Console& console_;
  std::unique_ptr<HistoryFile> file_;
};

constexpr char kExamples[] = R"(  ticktape shell -o mine.tape
  printf 'SUBMIT 1 AAPL BUY 320.14 100\nPRINT\n' | ticktape shell

Lines:
  SUBMIT <id> <symbol> <BUY|SELL> <price> <quantity> [GTC|IOC|FOK|DAY|GTT=<time>] [<options>]
  MARKET <id> <symbol> <BUY|SELL> <quantity> [<options>]
  CANCEL <id>
  MODIFY <id> <price> <quantity>
  PRINT [<symbol>]             without a symbol, all markets that have orders
  POLICY <NONE|WRITTEN|DISK>   what answers wait for from here on, as --ack
  options: POST, REDUCE, PAUSE, STP=TAKER|MAKER|BOTH, GROUP=<n>

A journal that exists is recovered and gone on with. Without -o the journal is temporary.
A symbol that is new is defined with prices of 0.0001 and whole quantities.
On a terminal, the arrow keys edit the line and bring earlier ones back, Ctrl-R searches
them, Ctrl-C drops the line, HELP shows these lines, and QUIT or Ctrl-D ends. Lines are
kept in $XDG_STATE_HOME/ticktape/shell_history, or below ~/.local/state.)";

class ShellVerb final : public Verb {
 public:
  ShellVerb() : Verb("shell", "Trade by typing: the text protocol, journalled", kExamples) {}

  void Declare(Options& options) override {
    options_.Declare(options, /*path_is_required=*/false);
    options.Add("--account", account_, "Whose orders these are").ShowDefault().NotNegative();
  }
  absl::StatusOr<ExitCode> Run(Console& console) override {
    std::unique_ptr<TemporaryDirectory> temporary;
    if (options_.recording.path.empty()) {
      ASSIGN_OR_RETURN(temporary, TemporaryDirectory::Make());
      options_.recording.path = temporary->path() + "/shell.tape";
    }
    ASSIGN_OR_RETURN(const bool resume, HasSegment(options_.recording.path));
    LiveClock clock(options_.clock_jump_seconds_max, console);
    const Stopwatch stopwatch;
    ASSIGN_OR_RETURN(const std::unique_ptr<TextConversation> conversation,
                     TextConversation::Start({.recording = options_.Get("ticktape shell"),
                                              .resume = resume,
                                              .account = engine::AccountId(account_)},
                                             clock, console));
    if (resume) {
      const Recording& recording = conversation->recording();
      console.Note("continues after @", recording.driver().last_applied().value(),
                   ", brought back from ",
                   recording.snapshot().has_value()
                       ? absl::StrCat("the snapshot at @", recording.snapshot()->value())
                       : "the first record",
                   " in ", HumanSeconds(stopwatch.Seconds()));
    }
    const bool is_typed = LineEditor::IsPossible();
    if (is_typed) Greet(temporary != nullptr, console);
    RETURN_IF_ERROR(is_typed ? ConverseOnTerminal(*conversation, console)
                             : Converse(*conversation, console));
    ASSIGN_OR_RETURN(const journal::Checkpoint last, conversation->Finish());
    console.Print(ConsoleText::Lines(conversation->output()));
    console.Flush();
    console.Note("journal: ", last.sequence.value(),
                 last.sequence.value() == 1 ? " command" : " commands",
                 temporary != nullptr ? ", temporary: gone now; -o keeps it"
                                      : " in " + options_.recording.path);
    return ExitCode::kOk;
  }

 private:
  static absl::Status Converse(TextConversation& conversation, Console& console) {
    ASSIGN_OR_RETURN(const std::unique_ptr<Input> input, Input::Open("-"));
    const auto show = [&] {
      console.Print(ConsoleText::Lines(conversation.output()));
      conversation.ClearOutput();
    };
    while (true) {
      ASSIGN_OR_RETURN(const engine::Bytes chunk, input->Read());
      if (chunk.empty()) return conversation.EndInput();
      const absl::Status fed = conversation.Feed(chunk, show);
      show();
      RETURN_IF_ERROR(fed);
      // A client with more input pending is not waiting for a reply, so one commit serves many
      // lines.
      if (input->IsReady()) continue;
      RETURN_IF_ERROR(conversation.AwaitInput(*input, [&] {
        show();
        console.Flush();
      }));
    }
  }

  void Greet(bool is_temporary, Console& console) const {
    if (is_temporary) {
      console.Note("Ticktape shell: the orders of account ", account_,
                   ", in a temporary journal; -o keeps one.");
    } else {
      console.Note("Ticktape shell: the orders of account ", account_, ", in the journal ",
                   options_.recording.path, ".");
    }
    console.Note("HELP shows what to type, QUIT ends.");
  }

  static absl::Status ConverseOnTerminal(TextConversation& conversation, Console& console) {
    ASSIGN_OR_RETURN(const std::unique_ptr<Input> input, Input::Open("-"));
    const auto show = [&] {
      console.Print(ConsoleText::Lines(conversation.output()));
      conversation.ClearOutput();
      console.Flush();
    };
    absl::Status status;
    LineEditor* typing = nullptr;
    LineEditor editor("> ", console, [&] {
      // An order may expire while a line is typed.
      status = conversation.AwaitInput(*input, [&] {
        if (conversation.output().empty()) return;
        typing->MakeRoom();
        show();
      });
      return status.ok();
    });
    typing = &editor;
    TypedLines typed(editor, console);
    while (const std::optional<std::string> line = editor.ReadLine()) {
      typed.Add(*line);
      const absl::string_view word = absl::StripAsciiWhitespace(*line);
      if (absl::EqualsIgnoreCase(word, "QUIT")) return absl::OkStatus();
      if (absl::EqualsIgnoreCase(word, "HELP")) {
        const absl::string_view help = kExamples;
        console.PrintLine(ConsoleText::Lines(help.substr(help.find("Lines:"))));
        console.Flush();
        continue;
      }
      const std::string sent = absl::StrCat(*line, "\n");
      RETURN_IF_ERROR(conversation.Feed(engine::AsBytes(absl::string_view(sent)), show));
      // The answer is shown before the next prompt.
      RETURN_IF_ERROR(conversation.Settle());
      show();
    }
    console.PrintLine();
    return status;
  }

  RecordingOptions options_;
  uint32_t account_ = 1;
};

}  // namespace

std::unique_ptr<Verb> MakeShellVerb() { return std::make_unique<ShellVerb>(); }

}  // namespace tools
