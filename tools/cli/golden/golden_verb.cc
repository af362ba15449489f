// ticktape golden: expected results of journals, in files that can be reviewed.

#include <filesystem>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_replace.h"
#include "replay/compare/subject.h"
#include "replay/log_source.h"
#include "replay/run_results.h"
#include "replay/vocabulary.h"
#include "tools/cli/base/subject_option.h"
#include "tools/cli/base/verb_includes.h"
#include "tools/cli/golden/expectation.h"
#include "tools/os/clocks.h"

namespace tools {
namespace {

namespace fs = std::filesystem;

// One expectation and the run that was compared with it.
struct GoldenResult {
  std::string path;  // Of the expectation.
  std::string journal;
  std::string engine;    // As named by the user.
  absl::Status status;   // Not OK: there is no run.
  Expectation expected;  // From the file, if it could be read.
  replay::ExpectedRun run;
  std::vector<std::string> differences;
  double seconds = 0;

  bool as_expected() const { return status.ok() && differences.empty(); }
  std::string trace_digest() const {
    return run.now.checkpoints.empty() ? "none" : run.now.checkpoints.back().trace->ToString();
  }
};

constexpr char kReportSchema[] = "ticktape.golden/1";

// Cancelling a whole book may cause thousands of events.
constexpr size_t kEventsShownMax = 20;

void AddEvents(Report& report, absl::string_view name, const std::vector<std::string>& events,
               const std::vector<std::string>* other) {
  absl::string_view row = name;
  const size_t shown = std::min(events.size(), kEventsShownMax);
  for (size_t i = 0; i < shown; ++i) {
    const bool differs = other != nullptr && (i >= other->size() || (*other)[i] != events[i]);
    report.Row(row, differs ? Styled(Style::kRed, events[i]) : ConsoleText(events[i]));
    row = "";
  }
  if (events.empty()) report.Row(row, "(nothing)");
  if (shown < events.size()) {
    report.Row("", "and ", WithCommas(events.size() - shown), " more");
  }
}

// Adds only where the run differs from the expectation.
void AddDifferences(Report& report, const GoldenResult& result) {
  report.Texts("differences", result.differences);
  absl::string_view row = "differs";
  for (const std::string& line : result.differences) {
    report.Row(row, line);
    row = "";
  }
  if (!result.run.difference.has_value()) return;
  const replay::OutputDifference& difference = *result.run.difference;
  report.Row("first", "@", difference.record);  // Begins with the number.
  report.BeginObject("first");
  report.Field("sequence", difference.sequence);
  report.Field("command", difference.record);
  const std::vector<std::string>* const expected =
      difference.expected.has_value() ? &*difference.expected : nullptr;
  if (expected != nullptr) {
    report.Texts("expected", *expected);
    AddEvents(report, "expected", *expected, nullptr);
  } else {
    report.Row("expected", "other events; 'golden add --events' keeps their text");
  }
  report.Texts("now", difference.outputs);
  AddEvents(report, "now", difference.outputs, expected);
  report.EndObject();
}

// `action` is "check", "add" or "update".
void AddFields(Report& report, const GoldenResult& result, const char* action) {
  report.Field("action", action);
  report.Field("path", result.path);
  report.Field("name", result.expected.name);
  report.Field("journal", result.journal);
  report.Field("engine", result.engine);
  report.Field("as_expected", result.as_expected());
  if (!result.status.ok()) return report.Field("error", result.status.message());
  report.Field("commands", result.run.now.last());
  report.Field("events", result.run.now.output_count);
  report.Field("trace_digest", result.trace_digest());
  report.Field("seconds", result.seconds);
}

// `update` is the command line that accepts the new results; empty: none is shown.
void AddResult(Report& report, const GoldenResult& result, const std::string& update) {
  const std::string name = result.expected.name.empty() ? result.path : result.expected.name;
  if (result.as_expected()) {
    report.Line(Styled(Style::kGreen, "ok     "), absl::StrFormat(" %-24s", name), " ",
                absl::StrFormat("%12s", WithCommas(result.run.now.last())),
                result.run.now.last() == 1 ? " command   trace " : " commands  trace ",
                result.trace_digest(), "  ", HumanSeconds(result.seconds));
    return AddDifferences(report, result);
  }
  report.Line(Styled(Style::kRed, "FAILED "), " ", name);
  report.Row("expectation", result.path);
  if (!result.journal.empty()) report.Row("journal", result.journal);
  if (!result.engine.empty()) report.Row("engine", result.engine);
  if (!result.status.ok()) return report.Row("error", result.status.message());
  AddDifferences(report, result);
  if (result.run.difference.has_value()) {
    report.Row("look", "ticktape inspect ", ShellWord(result.journal), " @",
               result.run.difference->sequence);
  }
  if (!update.empty()) report.Row("if it is meant", update);
}

// Uses the names as given, without resolving links: links are the user's choice.
std::string PathFrom(const std::string& folder, const std::string& path) {
  const auto plain = [](const std::string& given) {
    const fs::path normal = fs::absolute(given).lexically_normal();
    return normal.has_filename() ? normal : normal.parent_path();
  };
  return plain(path).lexically_relative(plain(folder)).string();
}

// An early check, before the work.
absl::Status CheckIsNew(const std::string& path) {
  std::error_code ignored;
  if (!fs::exists(fs::symlink_status(path, ignored))) return absl::OkStatus();
  return absl::AlreadyExistsError(absl::StrCat(path, " is there already; 'ticktape golden update ",
                                               ShellWord(path),
                                               " --reason TEXT' changes what it expects"));
}

constexpr char kExamples[] =
    R"(  ticktape golden add a.tape --name opening --into golden --reason 'the opening'
  ticktape golden check golden
  ticktape golden check golden --engine ./other/ticktape
  ticktape golden update golden/opening.golden --reason 'amend to less keeps priority'

A fixture is a text file NAME.golden: counts, log, trace and state digests at every
checkpoint, a mark of every command's events, with --events their text, and why each
change was made. 'check' says which command parts first; exit code 1: one does;
6: a file or a journal is missing.
'update' changes nothing without a reason. A fixture's journal begins with record 1:
'cut' makes one of the middle of another. In Bazel: ticktape_golden_test.)";

class GoldenVerb final : public Verb {
 public:
  GoldenVerb()
      : Verb("golden", "Keep what journals must replay to, and check that they still do",
             kExamples) {}

  void Declare(Options& options) override {
    add_ = &options.AddAction("add", "Replay a journal and keep what came of it");
    check_ = &options.AddAction("check", "Replay the journals and compare");
    update_ = &options.AddAction("update", "Keep what comes of it now instead, and why");
    for (Options* const action : {add_, check_, update_}) {
      action->Add("--engine", engine_, kSubjectHelp).Type("ENGINE");
    }
    add_->Add("journal", journal_, "The journal's folder").Required().Type("JOURNAL");
    add_->Add("--name", name_, "Of the fixture; the file is NAME.golden").Required().Type("NAME");
    add_->Add("--into", into_, "Where the file goes").Type("FOLDER").ShowDefault();
    add_->AddFlag("--events", keep_events_, "Keep the text of all events as well");
    for (Options* const action : {check_, update_}) {
      action->Add("fixtures", paths_, "Files, folders of them; default: this folder")
          .Type("FIXTURE...");
      action->Add("--journal", journal_, "Replay this one, not the one that the file names")
          .Type("JOURNAL");
    }
    for (Options* const action : {add_, update_}) {
      action->Add("--reason", reason_, "Why; goes into the file's history").Type("TEXT");
    }
    check_->Add("--update-hint", update_hint_).Hide();  // Set by the Bazel macros.
  }

  absl::StatusOr<ExitCode> Run(Console& console) override {
    if (check_->chosen()) return Check(console);
    if (absl::StripAsciiWhitespace(reason_).empty()) {
      return absl::InvalidArgumentError(
          "expectations change for a reason: --reason 'TEXT' goes into the file's history");
    }
    return add_->chosen() ? Add(console) : Update(console);
  }

 private:
  absl::StatusOr<ExitCode> Add(Console& console) const {
    if (name_.empty() || absl::StrContains(name_, '/') || absl::StartsWith(name_, ".")) {
      return absl::InvalidArgumentError(
          absl::StrCat("--name '", name_, "': expected the name of a file, without its suffix"));
    }
    GoldenResult result;
    result.path = (fs::path(into_) / absl::StrCat(name_, kExpectationSuffix)).lexically_normal();
    result.journal = journal_;
    result.engine = engine_.empty() ? "fast" : engine_;
    result.expected = {
        .name = name_, .journal = PathFrom(into_, journal_), .engine = result.engine};
    RETURN_IF_ERROR(CheckIsNew(result.path));
    RETURN_IF_ERROR(Replay(result, keep_events_, nullptr, console));
    std::error_code ignored;  // Write() reports the error.
    fs::create_directories(into_, ignored);
    RETURN_IF_ERROR(Write(result));
    Report report(kReportSchema);
    AddFields(report, result, "add");
    AddResult(report, result, "");
    report.Row("written", result.path);
    report.Row("in Bazel", "ticktape_golden_test(name = \"", name_,
               "_golden\", journal = ..., expect = \"", name_, kExpectationSuffix, "\")");
    report.PrintTo(console);
    return ExitCode::kOk;
  }

  absl::StatusOr<ExitCode> Check(Console& console) const {
    ASSIGN_OR_RETURN(const std::vector<std::string> paths, Find());
    size_t failed = 0;
    bool is_missing = false;  // A fixture or its journal.
    for (const std::string& path : paths) {
      const GoldenResult result = CheckFixture(path, console);
      if (!result.as_expected()) ++failed;
      is_missing = is_missing || absl::IsNotFound(result.status);
      Report report(kReportSchema);
      AddFields(report, result, "check");
      AddResult(report, result, UpdateLine(result));
      if (paths.size() > 1 && &path == &paths.back()) {
        report.Line(Counted(paths.size(), "fixture"), ": ", WithCommas(paths.size() - failed),
                    " ok, ", WithCommas(failed), " failed");
      }
      report.PrintTo(console);
    }
    if (is_missing) return ExitCode::kIo;
    return failed == 0 ? ExitCode::kOk : ExitCode::kDifferent;
  }

  absl::StatusOr<ExitCode> Update(Console& console) const {
    ASSIGN_OR_RETURN(const std::vector<std::string> paths, Find());
    for (const std::string& path : paths) {
      const GoldenResult result = CheckFixture(path, console);
      RETURN_IF_ERROR(result.status);
      const bool changes = !result.differences.empty();
      Report report(kReportSchema);
      AddFields(report, result, "update");
      report.Line(changes ? Styled(Style::kYellow, "changed") : "same   ", "  ",
                  result.expected.name);
      AddDifferences(report, result);
      if (changes) {
        RETURN_IF_ERROR(Write(result));
        report.Row("written", result.path);
      }
      report.PrintTo(console);
    }
    return ExitCode::kOk;
  }

  // Writes the results of the run as the expectation.
  absl::Status Write(const GoldenResult& result) const {
    const bool adds = add_->chosen();
    const std::string reason = absl::StrReplaceAll(reason_, {{"\n", " "}, {"\r", " "}});
    Expectation written = result.expected;
    written.results = result.run.now;
    written.history.push_back(
        absl::StrCat(SystemClock().Now().ToString().substr(0, 10),
                     adds ? " added: " : " updated: ", absl::StripAsciiWhitespace(reason)));
    return WriteFile(result.path, FormatExpectation(written), /*replace=*/!adds);
  }

  // Compares with `expected` unless that is null.
  absl::Status Replay(GoldenResult& result, bool keeps_events, const replay::RunResults* expected,
                      Console& console) const {
    ASSIGN_OR_RETURN(const OpenedJournal opened, OpenJournal(result.journal));
    const journal::JournalInfo& info = opened.reader->info();
    RETURN_IF_ERROR(CheckIsOfExchange(info));
    ASSIGN_OR_RETURN(const std::unique_ptr<replay::Subject> subject, OpenSubject(result.engine));
    RETURN_IF_ERROR(CheckBeginsWithFirst(info));
    replay::JournalSource source(*opened.reader);
    const std::unique_ptr<replay::Vocabulary> vocabulary = VocabularyOf(info);
    Progress progress(console, "golden", "records", info.record_count());
    ASSIGN_OR_RETURN(result.run,
                     replay::TakeResults(source, *subject, *vocabulary, keeps_events, expected,
                                         [&](uint64_t done) { progress.Show(done); }));
    result.seconds = progress.Seconds();
    return absl::OkStatus();
  }

  GoldenResult CheckFixture(const std::string& path, Console& console) const {
    GoldenResult result;
    result.path = path;
    result.status = ReplayFixture(result, console);
    return result;
  }

  absl::Status ReplayFixture(GoldenResult& result, Console& console) const {
    ASSIGN_OR_RETURN(result.expected, ReadExpectation(result.path));
    result.engine = engine_.empty() ? result.expected.engine : engine_;
    result.journal = journal_;
    if (result.journal.empty() && !result.expected.journal.empty()) {
      const fs::path folder = fs::path(result.path).parent_path();
      result.journal = (folder / result.expected.journal).lexically_normal().string();
    }
    if (result.journal.empty()) {
      return absl::InvalidArgumentError("the file names no journal: give --journal");
    }
    const replay::RunResults& expected = result.expected.results;
    RETURN_IF_ERROR(Replay(result, expected.outputs.has_value(), &expected, console));
    result.differences = replay::DescribeDifferences(expected, result.run);
    return absl::OkStatus();
  }

  // Finds expectations from paths: a file, a folder of files, a file without its suffix.
  absl::StatusOr<std::vector<std::string>> Find() const {
    std::vector<std::string> found;
    const std::vector<std::string> places = paths_.empty() ? std::vector<std::string>{"."} : paths_;
    for (const std::string& place : places) {
      std::error_code error;
      if (fs::is_directory(place, error)) {
        for (const fs::directory_entry& entry : fs::directory_iterator(place, error)) {
          const std::string file = entry.path().lexically_normal().string();
          if (absl::EndsWith(file, kExpectationSuffix)) found.push_back(file);
        }
        continue;
      }
      const std::string with_suffix = absl::StrCat(place, kExpectationSuffix);
      const bool is_there = fs::exists(place, error);
      if (!is_there && !fs::exists(with_suffix, error)) {
        return absl::NotFoundError(absl::StrCat(place, ": no such file or folder"));
      }
      found.push_back(is_there ? place : with_suffix);
    }
    if (found.empty()) {
      return absl::NotFoundError(
          absl::StrCat("no *", kExpectationSuffix, " file in ", places.front()));
    }
    std::sort(found.begin(), found.end());
    return found;
  }

  std::string UpdateLine(const GoldenResult& result) const {
    if (!update_hint_.empty()) return update_hint_;
    return absl::StrCat("ticktape golden update ", ShellWord(result.path),
                        journal_.empty() ? "" : absl::StrCat(" --journal ", ShellWord(journal_)),
                        engine_.empty() ? "" : absl::StrCat(" --engine ", ShellWord(engine_)),
                        " --reason TEXT");
  }

  Options* add_ = nullptr;
  Options* check_ = nullptr;
  Options* update_ = nullptr;
  std::string journal_;
  std::vector<std::string> paths_;
  std::string name_;
  std::string into_ = ".";
  std::string engine_;
  std::string reason_;
  std::string update_hint_;
  bool keep_events_ = false;
};

}  // namespace

std::unique_ptr<Verb> MakeGoldenVerb() { return std::make_unique<GoldenVerb>(); }

}  // namespace tools
