// ticktape hold: marks the parts of a journal that others still need, so that prune keeps them.

#include "journal/holds.h"
#include "tools/cli/base/verb_includes.h"
#include "tools/cli/read/selector.h"
#include "tools/os/clocks.h"

namespace tools {
namespace {

constexpr char kExamples[] = R"(  ticktape hold add a.tape warehouse @100000 --note 'nightly load'
  ticktape hold list a.tape
  ticktape hold remove a.tape warehouse

A hold keeps its record and everything after. Adding one again moves it: a consumer
moves its hold on as it goes. A record that is gone cannot be held.)";

class HoldVerb final : public Verb {
 public:
  HoldVerb() : Verb("hold", "Keep part of a journal from being deleted", kExamples) {}

  void Declare(Options& options) override {
    add_ = &options.AddAction("add", "Add a hold, or move it");
    list_ = &options.AddAction("list", "Show the holds");
    remove_ = &options.AddAction("remove", "Take a hold away");
    for (Options* action : {add_, list_, remove_}) {
      action->Add("journal", path_, "The journal's folder").Required().Type("JOURNAL");
    }
    for (Options* action : {add_, remove_}) {
      action->Add("name", hold_name_, "Whose it is: a-z, 0-9, '-' and '_'").Required().Type("NAME");
    }
    add_->Add("position", position_, "The first record that is still needed")
        .Required()
        .Type("POSITION");
    add_->Add("--note", note_, "For people: why").Type("TEXT");
  }
  absl::StatusOr<ExitCode> Run(Console& console) override {
    if (add_->chosen()) RETURN_IF_ERROR(Add());
    if (remove_->chosen()) RETURN_IF_ERROR(Remove());
    if (list_->chosen()) RETURN_IF_ERROR(List(console));
    return ExitCode::kOk;
  }

 private:
  absl::Status Add() const {
    RETURN_IF_ERROR(journal::CheckHoldName(hold_name_));
    ASSIGN_OR_RETURN(const Position position, ParsePosition(position_));
    ASSIGN_OR_RETURN(const std::unique_ptr<journal::Directory> directory,
                     journal::OpenPosixDirectory(path_, journal::DirectoryMode::kReadWrite));
    ASSIGN_OR_RETURN(const std::unique_ptr<journal::Reader> reader,
                     journal::Reader::Open(*directory));
    ASSIGN_OR_RETURN(const engine::SequenceNumber sequence, Resolve(position, *reader));
    return journal::AddHold(
        *directory,
        {.name = hold_name_, .sequence = sequence, .created = SystemClock().Now(), .note = note_});
  }

  absl::Status Remove() const {
    ASSIGN_OR_RETURN(const std::unique_ptr<journal::Directory> directory,
                     journal::OpenPosixDirectory(path_, journal::DirectoryMode::kReadWrite));
    const absl::Status removed = journal::RemoveHold(*directory, hold_name_);
    if (!absl::IsNotFound(removed)) return removed;
    return absl::InvalidArgumentError(
        absl::StrCat(path_, " has no hold '", hold_name_, "'; 'ticktape hold list' shows them"));
  }

  absl::Status List(Console& console) const {
    ASSIGN_OR_RETURN(const std::unique_ptr<journal::Directory> directory,
                     journal::OpenPosixDirectory(path_, journal::DirectoryMode::kReadOnly));
    ASSIGN_OR_RETURN(const std::vector<journal::Hold> holds, journal::ListHolds(*directory));
    Report report("ticktape.holds/1");
    report.Field("path", path_);
    report.Objects("holds", holds, [&](const journal::Hold& hold) {
      report.Field("name", hold.name);
      report.Field("sequence", hold.sequence);
      report.Field("created", hold.created);
      report.Field("note", hold.note);
      if (hold.damage.empty()) {
        report.Row(hold.name, "@", hold.sequence, ", since ", hold.created,
                   hold.note.empty() ? "" : ", ", hold.note);
      } else {
        report.Field("damage", hold.damage);
        report.Row(hold.name, "everything: ", hold.damage);
      }
    });
    if (holds.empty()) report.Note(path_, " has no holds");
    report.PrintTo(console);
    return absl::OkStatus();
  }

  Options* add_ = nullptr;
  Options* list_ = nullptr;
  Options* remove_ = nullptr;
  std::string path_;
  std::string hold_name_;
  std::string position_;
  std::string note_;
};

}  // namespace

std::unique_ptr<Verb> MakeHoldVerb() { return std::make_unique<HoldVerb>(); }

}  // namespace tools
