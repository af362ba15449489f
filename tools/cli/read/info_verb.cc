// ticktape info: describes a journal from its headers alone. Never starts an engine.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "engine/base/sequence_number.h"
#include "engine/base/status_macros.h"
#include "journal/digest_sidecar.h"
#include "journal/journal_info.h"
#include "journal/verdict.h"
#include "tools/cli/base/console_text.h"
#include "tools/cli/base/format.h"
#include "tools/cli/base/json.h"
#include "tools/cli/base/open_journal.h"
#include "tools/cli/base/options.h"
#include "tools/cli/base/report_row.h"
#include "tools/cli/read/embedded_schema.h"
#include "tools/cli/read/verbs.h"

namespace tools {
namespace {

using journal::JournalInfo;
using journal::SegmentInfo;

// The readable part of the sidecar.
struct Checkpoints {
  uint64_t count = 0;
  std::optional<journal::Checkpoint> last = {};
  std::string problem = {};  // Why there is no sidecar, or why it cannot be read.
};

Checkpoints ReadCheckpoints(const journal::Directory& directory, const JournalInfo& info) {
  const auto read = journal::InspectSidecar(directory, info.uuid, info.last_sequence);
  if (absl::IsNotFound(read.status())) return {.problem = "none"};
  if (!read.ok()) return {.problem = std::string(read.status().message())};
  Checkpoints checkpoints{.count = read->checkpoints.size(), .last = {}, .problem = read->damage};
  if (checkpoints.count > 0) checkpoints.last = read->checkpoints.back();
  return checkpoints;
}

class InfoVerb final : public Verb {
 public:
  const char* name() const override { return "info"; }
  const char* summary() const override { return "Show what a journal is, from its headers alone"; }
  const char* examples() const override {
    return "  ticktape info a.tape\n"
           "  ticktape info a.tape --segments --meta\n"
           "  ticktape info a.tape --json | jq .last_sequence\n"
           "\n"
           "Reads preambles, indexes, the tail and the checkpoints; 'verify' looks at every\n"
           "byte. Exit code 3 says that what was looked at is damaged.";
  }
  void Declare(Options& options) override {
    options.Add("journal", path_, "The journal's folder").Required().Type("JOURNAL");
    options.AddFlag("--segments", segments_, "Also a table of the segments");
    options.AddFlag("--meta", meta_,
                    "Also what the journal says about who wrote it, and its schema");
  }
  absl::StatusOr<ExitCode> Run(Console& console) override;

 private:
  void Print(Console& console, const JournalInfo& info, const Checkpoints& checkpoints) const;
  void PrintJson(Console& console, const JournalInfo& info, const Checkpoints& checkpoints) const;

  std::string path_;
  bool segments_ = false;
  bool meta_ = false;
};

// ---- For people

ConsoleText StateText(const Console& console, const JournalInfo& info) {
  const Style style = info.verdict == journal::Verdict::kClean  ? Style::kGreen
                      : info.verdict == journal::Verdict::kTorn ? Style::kYellow
                                                                : Style::kRed;
  return ConsoleText::Of(
      info.sealed ? "sealed" : "not sealed: being written, or its writer was killed", ", ",
      console.Styled(style, absl::StrCat(journal::ToString(info.verdict))),
      info.verdict_reason.empty() ? "" : ": ", info.verdict_reason);
}

// A journal is sealed only once all of it is durable; otherwise only its headers say what is.
engine::SequenceNumber DurableSequence(const JournalInfo& info) {
  const bool is_whole = info.sealed && info.verdict == journal::Verdict::kClean;
  return is_whole ? info.last_sequence : info.durable_sequence;
}

void PrintContent(Console& console, const JournalInfo& info) {
  if (info.readable_count() == 0) {
    PrintRow(console, "records", "none");
  } else {
    PrintRow(console, "records",
             absl::StrCat(WithCommas(info.readable_count()), ", @", info.first_sequence.value(),
                          "..@", info.last_readable.value()));
    PrintRow(console, "time",
             absl::StrCat(info.first_time.ToString(), " to ", info.last_time.ToString()));
  }
  PrintRow(console, "state", StateText(console, info));
  for (const std::string& warning : info.warnings) PrintRow(console, "warning", warning);
  const engine::SequenceNumber durable = DurableSequence(info);
  PrintRow(console, "durable",
           durable == engine::SequenceNumber() ? "nothing that the log itself tells of"
                                               : absl::StrCat("at least to @", durable.value()));
  PrintRow(console, "size",
           absl::StrCat(HumanBytes(info.file_bytes()), " in ", info.segments.size(), " segment",
                        info.segments.size() == 1 ? "" : "s"));
}

void PrintCheckpoints(Console& console, const Checkpoints& checkpoints) {
  if (!checkpoints.last.has_value()) {
    return PrintRow(console, "checkpoints",
                    checkpoints.problem.empty() ? "none" : checkpoints.problem);
  }
  const journal::Checkpoint& last = *checkpoints.last;
  PrintRow(console, "checkpoints",
           absl::StrCat(WithCommas(checkpoints.count), ", the last at @", last.sequence.value()));
  if (!checkpoints.problem.empty()) PrintRow(console, "warning", checkpoints.problem);
  if (last.log.has_value()) PrintRow(console, "log digest", last.log->ToString());
  if (last.trace.has_value()) PrintRow(console, "trace digest", last.trace->ToString());
  if (last.state.has_value()) PrintRow(console, "state digest", last.state->ToString());
}

void PrintMetadata(Console& console, const journal::JournalMetadata& metadata) {
  console.PrintLine();
  PrintRow(console, "command line", metadata.created_by);
  PrintRow(console, "row schema",
           absl::StrFormat("0x%016x, embedded in %s", metadata.row_schema_id,
                           HumanBytes(metadata.row_schema.size())));
  const auto types = ReadSchemaTypes(metadata.row_schema);
  if (!types.ok()) return PrintRow(console, "", types.status().message());
  for (const SchemaType& type : *types) {
    PrintRow(console, "",
             absl::StrFormat("%s  0x%016x, %d members", type.name, type.id, type.member_count));
  }
}

void PrintSegments(Console& console, const std::vector<SegmentInfo>& segments) {
  console.PrintLine();
  console.PrintLine(console.Styled(
      Style::kDim, absl::StrFormat("  %-20s %12s %12s %12s %8s %10s  %s", "segment", "first",
                                   "last", "records", "blocks", "size", "state")));
  for (const SegmentInfo& segment : segments) {
    const char* state = !segment.sealed        ? "open"
                        : segment.index_intact ? "sealed"
                                               : "sealed, index rebuilt";
    console.PrintLine(absl::StrFormat("  %-20s %12d %12d %12d %8d %10s  %s", segment.file_name,
                                      segment.first_sequence.value(), segment.last_sequence.value(),
                                      segment.record_count(), segment.block_count,
                                      HumanBytes(segment.file_bytes), state));
  }
}

void InfoVerb::Print(Console& console, const JournalInfo& info,
                     const Checkpoints& checkpoints) const {
  const journal::JournalMetadata& metadata = info.metadata;
  console.PrintLine(console.Styled(Style::kBold, path_), ", journal ", info.uuid.ToString());
  PrintRow(console, "format",
           absl::StrCat(info.format_major, ".", info.format_minor, ", created ",
                        info.created.ToString()));
  PrintRow(console, "written by",
           absl::StrCat(metadata.application, ", ", metadata.build_id, ", rules version ",
                        metadata.semantics_version));
  PrintContent(console, info);
  PrintCheckpoints(console, checkpoints);
  if (meta_) PrintMetadata(console, metadata);
  if (segments_) PrintSegments(console, info.segments);
}

// ---- JSON

void AddMetadata(JsonObject& json, const journal::JournalMetadata& metadata) {
  json.BeginObject("metadata");
  json.Field("application", metadata.application);
  json.Field("build", metadata.build_id);
  json.Field("semantics_version", metadata.semantics_version);
  json.Field("created_by", metadata.created_by);
  json.Field("row_schema_id", absl::StrFormat("0x%016x", metadata.row_schema_id));
  json.Field("row_schema_bytes", metadata.row_schema.size());
  if (const auto types = ReadSchemaTypes(metadata.row_schema); types.ok()) {
    json.BeginArray("row_schema_types");
    for (const SchemaType& type : *types) {
      json.BeginElement();
      json.Field("name", type.name);
      json.Field("id", absl::StrFormat("0x%016x", type.id));
      json.Field("members", type.member_count);
      json.EndElement();
    }
    json.EndArray();
  }
  json.EndObject();
}

void AddSegments(JsonObject& json, const std::vector<SegmentInfo>& segments) {
  json.BeginArray("segments");
  for (const SegmentInfo& segment : segments) {
    json.BeginElement();
    json.Field("index", segment.segment_index);
    json.Field("file", segment.file_name);
    json.Field("uuid", segment.uuid.ToString());
    json.Field("incarnation", segment.incarnation);
    json.Field("created", segment.created.ToString());
    json.Field("sealed", segment.sealed);
    json.Field("index_intact", segment.index_intact);
    json.Field("first_sequence", segment.first_sequence.value());
    json.Field("last_sequence", segment.last_sequence.value());
    json.Field("records", segment.record_count());
    json.Field("first_time", segment.first_time.ToString());
    json.Field("last_time", segment.last_time.ToString());
    json.Field("blocks", segment.block_count);
    json.Field("bytes", segment.file_bytes);
    json.EndElement();
  }
  json.EndArray();
}

void AddCheckpoints(JsonObject& json, const Checkpoints& checkpoints) {
  json.BeginObject("checkpoints");
  json.Field("count", checkpoints.count);
  if (!checkpoints.problem.empty()) json.Field("problem", checkpoints.problem);
  if (const auto& last = checkpoints.last; last.has_value()) {
    json.Field("last_sequence", last->sequence.value());
    if (last->log.has_value()) json.Field("log_digest", last->log->ToString());
    if (last->trace.has_value()) json.Field("trace_digest", last->trace->ToString());
    if (last->state.has_value()) json.Field("state_digest", last->state->ToString());
  }
  json.EndObject();
}

void InfoVerb::PrintJson(Console& console, const JournalInfo& info,
                         const Checkpoints& checkpoints) const {
  JsonObject json("ticktape.info/1");
  json.Field("path", path_);
  json.Field("uuid", info.uuid.ToString());
  json.Field("format", absl::StrCat(info.format_major, ".", info.format_minor));
  json.Field("created", info.created.ToString());
  json.Field("records", info.readable_count());
  json.Field("first_sequence", info.first_sequence.value());
  json.Field("last_sequence", info.last_readable.value());
  json.Field("first_time", info.first_time.ToString());
  json.Field("last_time", info.last_time.ToString());
  json.Field("sealed", info.sealed);
  json.Field("verdict", journal::ToString(info.verdict));
  json.Field("reason", info.verdict_reason);
  if (!info.warnings.empty()) {
    json.BeginArray("warnings");
    for (const std::string& warning : info.warnings) json.Element(warning);
    json.EndArray();
  }
  json.Field("durable_sequence", DurableSequence(info).value());
  json.Field("bytes", info.file_bytes());
  AddMetadata(json, info.metadata);
  AddSegments(json, info.segments);
  AddCheckpoints(json, checkpoints);
  console.PrintLine(json.Take());
}

absl::StatusOr<ExitCode> InfoVerb::Run(Console& console) {
  ASSIGN_OR_RETURN(const OpenedJournal opened, OpenJournal(path_));
  const JournalInfo& info = opened.reader->info();
  const Checkpoints checkpoints = ReadCheckpoints(*opened.directory, info);
  if (console.json()) {
    PrintJson(console, info, checkpoints);
  } else {
    Print(console, info, checkpoints);
  }
  return info.verdict == journal::Verdict::kDamaged ? ExitCode::kDamaged : ExitCode::kOk;
}

}  // namespace

std::unique_ptr<Verb> MakeInfoVerb() { return std::make_unique<InfoVerb>(); }

}  // namespace tools
