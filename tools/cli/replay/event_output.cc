#include "tools/cli/replay/event_output.h"

#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "tools/cli/base/console_text.h"
#include "tools/cli/read/message_json.h"

namespace tools {

absl::StatusOr<std::unique_ptr<EventOutput>> EventOutput::Open(const std::string& path,
                                                               Console& console) {
  std::unique_ptr<Output> file;
  if (path != "-") {
    ASSIGN_OR_RETURN(file, Output::Create(path, /*replace=*/true));
  }
  const bool json = path == "-" ? console.json() : absl::EndsWith(path, ".jsonl");
  return std::unique_ptr<EventOutput>(new EventOutput(std::move(file), console, json));
}

void EventOutput::Write(const journal::Record& record, std::span<const engine::Event> events) {
  for (const engine::Event& event : events) {
    const std::string line = absl::StrCat(
        json_ ? EventJson(event, record.timestamp(), markets_.markets()) : text_.Format(event),
        "\n");
    if (file_ != nullptr) {
      file_->Write(line);
    } else {
      console_.Print(ConsoleText::Lines(line));
    }
  }
}

absl::Status EventOutput::Finish() { return file_ != nullptr ? file_->Finish() : absl::OkStatus(); }

}  // namespace tools
