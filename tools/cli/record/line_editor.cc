#include "tools/cli/record/line_editor.h"

#include <histedit.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"

namespace tools {

struct LineEditor::State {
  const char* prompt;
  Console& console;
  std::function<bool()> await_key;
  EditLine* editor = nullptr;
  History* history = nullptr;
  bool is_cancelled = false;  // The line, by Ctrl-C.
  bool has_moved = false;     // Something was printed since the line was drawn.
};

namespace {

constexpr int kHistoryLines = 1000;

// A key that no terminal can press: bytes that are not ASCII are dropped.
constexpr wchar_t kRedraw = 0x9f;
constexpr char kRedrawBinding[] = "\\237";

using State = LineEditor::State;

State& StateOf(EditLine* editor) {
  void* state = nullptr;
  el_get(editor, EL_CLIENTDATA, &state);
  return *static_cast<State*>(state);
}

char* Prompt(EditLine* editor) { return const_cast<char*>(StateOf(editor).prompt); }  // NOLINT

// Returns 1 with a key, or 0 at the end of the input.
int ReadKey(EditLine* editor, wchar_t* key) {
  State& state = StateOf(editor);
  while (true) {
    if (!state.await_key()) return 0;
    if (std::exchange(state.has_moved, false)) {
      *key = kRedraw;
      return 1;
    }
    unsigned char byte = 0;
    const ssize_t count = read(STDIN_FILENO, &byte, 1);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return 0;
    if (byte >= 0x80) continue;
    *key = byte;
    return 1;
  }
}

unsigned char Cancel(EditLine* editor, wint_t) {
  StateOf(editor).is_cancelled = true;
  return CC_NEWLINE;
}

unsigned char Redraw(EditLine*, wint_t) { return CC_REDISPLAY; }

}  // namespace

bool LineEditor::IsPossible() {
  const char* term = std::getenv("TERM");
  return term != nullptr && *term != '\0' && absl::string_view(term) != "dumb" &&
         isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1;
}

LineEditor::LineEditor(const char* prompt, Console& console, std::function<bool()> await_key)
    : state_(new State{.prompt = prompt, .console = console, .await_key = std::move(await_key)}) {
  HistEvent event;
  state_->history = history_init();
  history(state_->history, &event, H_SETSIZE, kHistoryLines);
  history(state_->history, &event, H_SETUNIQUE, 1);
  EditLine* const editor = el_init("ticktape", stdin, stdout, stderr);
  state_->editor = editor;
  el_set(editor, EL_CLIENTDATA, state_.get());
  el_set(editor, EL_SIGNAL, 1);  // Restores the terminal at a signal that ends the program.
  el_set(editor, EL_EDITOR, "emacs");
  el_set(editor, EL_PROMPT, Prompt);
  el_set(editor, EL_HIST, history, state_->history);
  el_set(editor, EL_GETCFN, ReadKey);
  // While a line is edited, Ctrl-C is a key.
  el_set(editor, EL_SETTY, "-d", "-isig", nullptr);
  el_set(editor, EL_ADDFN, "cancel-line", "Drop the line", Cancel);
  el_set(editor, EL_BIND, "^C", "cancel-line", nullptr);
  el_set(editor, EL_ADDFN, "redraw-line", "Draw the line again", Redraw);
  el_set(editor, EL_BIND, kRedrawBinding, "redraw-line", nullptr);
  el_set(editor, EL_BIND, "^R", "em-inc-search-prev", nullptr);
}

LineEditor::~LineEditor() {
  el_end(state_->editor);
  history_end(state_->history);
}

std::optional<std::string> LineEditor::ReadLine() {
  while (true) {
    int count = 0;
    const char* const line = el_gets(state_->editor, &count);
    if (std::exchange(state_->is_cancelled, false)) {
      state_->console.PrintLine("^C");
      state_->console.Flush();
      continue;
    }
    if (line == nullptr || count <= 0) return std::nullopt;
    return std::string(
        absl::StripSuffix(absl::string_view(line, static_cast<size_t>(count)), "\n"));
  }
}

void LineEditor::Remember(const std::string& line) {
  HistEvent event;
  history(state_->history, &event, H_ENTER, line.c_str());
}

void LineEditor::MakeRoom() {
  if (std::exchange(state_->has_moved, true)) return;
  state_->console.PrintLine();
  state_->console.Flush();
}

}  // namespace tools
