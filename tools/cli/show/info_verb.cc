// ticktape info: describes a journal from its headers alone. Never starts an engine.

#include "journal/digest_sidecar.h"
#include "journal/finding.h"
#include "tools/cli/base/verb_includes.h"
#include "tools/cli/show/embedded_schema.h"

namespace tools {
namespace {

using journal::JournalInfo;
using journal::SegmentInfo;

ConsoleText StateText(const JournalInfo& info) {
  const Style style = info.verdict == journal::Verdict::kClean  ? Style::kGreen
                      : info.verdict == journal::Verdict::kTorn ? Style::kYellow
                                                                : Style::kRed;
  return ConsoleText::Of(
      info.sealed ? "sealed" : "not sealed: being written, or its writer was killed", ", headers ",
      Styled(style, journal::ToString(info.verdict)), info.verdict_reason.empty() ? "" : ": ",
      info.verdict_reason,
      info.verdict == journal::Verdict::kClean ? "; 'verify' reads the rest" : "");
}

void AddContents(Report& report, const JournalInfo& info) {
  if (info.readable_count() == 0) {
    report.Row("records", "none");
  } else {
    report.Row("records", WithCommas(info.readable_count()), ", @", info.first_sequence, "..@",
               info.last_readable);
    report.Row("time", info.first_time, " to ", info.last_time);
  }
  report.Field("records", info.readable_count());
  report.Field("first_sequence", info.first_sequence);
  report.Field("last_sequence", info.last_readable);
  report.Field("first_time", info.first_time);
  report.Field("last_time", info.last_time);
  report.Row("state", StateText(info));
  report.Field("sealed", info.sealed);
  report.Field("verdict", journal::ToString(info.verdict));
  report.Field("verdict_of", "headers");
  report.Field("reason", info.verdict_reason);
  for (const std::string& warning : info.warnings) report.Row("warning", warning);
  if (!info.warnings.empty()) report.Texts("warnings", info.warnings);
  // A journal is sealed only once all of it is durable; otherwise only its headers say what is.
  const bool is_whole = info.sealed && info.verdict == journal::Verdict::kClean;
  const engine::SequenceNumber durable = is_whole ? info.last_sequence : info.durable_sequence;
  report.Row("durable", durable == engine::SequenceNumber()
                            ? "nothing that the log itself tells of"
                            : absl::StrCat("at least to @", durable.value()));
  report.Field("durable_sequence", durable);
  report.Row("size", HumanBytes(info.file_bytes()), " in ", info.segments.size(),
             info.segments.size() == 1 ? " segment" : " segments");
  report.Field("bytes", info.file_bytes());
}

std::string IdText(uint64_t id) { return absl::StrFormat("0x%016x", id); }

void AddMetadataFields(Report& report, const journal::JournalMetadata& metadata) {
  report.BeginObject("metadata");
  report.Field("application", metadata.application);
  report.Field("build", metadata.build_id);
  report.Field("semantics_version", metadata.semantics_version);
  report.Field("created_by", metadata.created_by);
  report.Field("time_zone", metadata.time_zone);
  report.Field("row_schema_id", IdText(metadata.row_schema_id));
  report.Field("row_schema_bytes", metadata.row_schema.size());
  if (const auto types = ReadSchemaTypes(metadata.row_schema); types.ok()) {
    report.Objects("row_schema_types", *types, [&](const SchemaType& type) {
      report.Field("name", type.name);
      report.Field("id", IdText(type.id));
      report.Field("members", type.member_count);
    });
  }
  report.EndObject();
}

void AddMetadataRows(Report& report, const journal::JournalMetadata& metadata) {
  report.Line();
  report.Row("command line", metadata.created_by);
  report.Row("row schema", IdText(metadata.row_schema_id), ", embedded in ",
             HumanBytes(metadata.row_schema.size()));
  const auto types = ReadSchemaTypes(metadata.row_schema);
  if (!types.ok()) return report.Row("", types.status().message());
  for (const SchemaType& type : *types) {
    report.Row("", type.name, "  ", IdText(type.id), ", ", type.member_count, " members");
  }
}

void AddSegmentFields(Report& report, const std::vector<SegmentInfo>& segments) {
  report.Objects("segments", segments, [&](const SegmentInfo& segment) {
    report.Field("index", segment.segment_index);
    report.Field("file", segment.file_name);
    report.Field("uuid", segment.uuid);
    report.Field("incarnation", segment.incarnation);
    report.Field("created", segment.created);
    report.Field("sealed", segment.sealed);
    report.Field("index_intact", segment.index_intact);
    report.Field("first_sequence", segment.first_sequence);
    report.Field("last_sequence", segment.last_sequence);
    report.Field("records", segment.record_count());
    report.Field("first_time", segment.first_time);
    report.Field("last_time", segment.last_time);
    report.Field("blocks", segment.block_count);
    report.Field("bytes", segment.file_bytes);
  });
}

void AddSegmentRows(Report& report, const std::vector<SegmentInfo>& segments) {
  report.Line();
  report.Line(
      Styled(Style::kDim, absl::StrFormat("  %-20s %12s %12s %12s %8s %10s  %s", "segment", "first",
                                          "last", "records", "blocks", "size", "state")));
  for (const SegmentInfo& segment : segments) {
    const char* state = !segment.sealed        ? "open"
                        : segment.index_intact ? "sealed"
                                               : "sealed, index rebuilt";
    report.Line(absl::StrFormat("  %-20s %12d %12d %12d %8d %10s  %s", segment.file_name,
                                segment.first_sequence.value(), segment.last_sequence.value(),
                                segment.record_count(), segment.block_count,
                                HumanBytes(segment.file_bytes), state));
  }
}

// Adds the readable part of the sidecar, and why there is none or why it cannot be read.
void AddCheckpoints(Report& report, const journal::Directory& directory, const JournalInfo& info) {
  const auto read = journal::InspectSidecar(directory, info.uuid, info.last_sequence);
  const std::string problem = read.ok() ? read->damage
                              : absl::IsNotFound(read.status())
                                  ? "none"
                                  : std::string(read.status().message());
  // A killed writer may have written digests of records that its disk does not have.
  std::vector<journal::Checkpoint> checkpoints;
  if (read.ok()) checkpoints = read->checkpoints;
  const auto beyond =
      std::ranges::upper_bound(checkpoints, info.last_readable, {}, &journal::Checkpoint::sequence);
  const auto beyond_count = static_cast<size_t>(checkpoints.end() - beyond);
  const engine::SequenceNumber last_beyond =
      beyond_count == 0 ? engine::SequenceNumber() : checkpoints.back().sequence;
  checkpoints.erase(beyond, checkpoints.end());
  const size_t count = checkpoints.size();
  report.BeginObject("checkpoints");
  report.Field("count", count);
  if (!problem.empty()) report.Field("problem", problem);
  if (count == 0) {
    report.Row("checkpoints", problem.empty() ? "none" : problem);
  } else {
    const journal::Checkpoint& last = checkpoints.back();
    report.Row("checkpoints", WithCommas(count), ", the last at @", last.sequence);
    if (!problem.empty()) report.Row("warning", problem);
    report.Field("last_sequence", last.sequence);
    AddDigests(report, last);
  }
  if (beyond_count > 0) {
    report.Row("warning", Counted(beyond_count, "checkpoint"), " beyond the last record, up to @",
               last_beyond, ": of records that a killed writer did not keep, or that are missing");
    report.Field("beyond_the_end", beyond_count);
  }
  report.EndObject();
}

constexpr char kExamples[] = R"(  ticktape info a.tape
  ticktape info a.tape --segments --meta
  ticktape info a.tape --json | jq .last_sequence

Reads preambles, indexes, the tail and the checkpoints, and the verdict is of these;
'verify' looks at every byte. Exit code 3 says that what was looked at is damaged.)";

class InfoVerb final : public Verb {
 public:
  InfoVerb() : Verb("info", "Show what a journal is, from its headers alone", kExamples) {}

  void Declare(Options& options) override {
    options.Add("journal", path_, "The journal's folder").Required().Type("JOURNAL");
    options.AddFlag("--segments", segments_, "Also a table of the segments");
    options.AddFlag("--meta", meta_,
                    "Also what the journal says about who wrote it, and its schema");
  }

  absl::StatusOr<ExitCode> Run(Console& console) override {
    ASSIGN_OR_RETURN(const OpenedJournal opened, OpenJournal(path_));
    const JournalInfo& info = opened.reader->info();
    const journal::JournalMetadata& metadata = info.metadata;
    const std::string format = absl::StrCat(info.format_major, ".", info.format_minor);
    Report report("ticktape.info/1");
    report.Line(Styled(Style::kBold, path_), ", journal ", info.uuid);
    report.Row("format", format, ", created ", info.created);
    report.Row("written by", metadata.application, ", ", metadata.build_id, ", rules version ",
               metadata.semantics_version);
    if (!metadata.time_zone.empty()) {
      report.Row("time zone", metadata.time_zone, "; times are UTC, or with --tz ",
                 metadata.time_zone, " of it");
    }
    report.Field("path", path_);
    report.Field("uuid", info.uuid);
    report.Field("format", format);
    report.Field("created", info.created);
    AddContents(report, info);
    AddMetadataFields(report, metadata);
    AddSegmentFields(report, info.segments);
    AddCheckpoints(report, *opened.directory, info);
    if (meta_) AddMetadataRows(report, metadata);
    if (segments_) AddSegmentRows(report, info.segments);
    report.PrintTo(console);
    return info.verdict == journal::Verdict::kDamaged ? ExitCode::kDamaged : ExitCode::kOk;
  }

 private:
  std::string path_;
  bool segments_ = false;
  bool meta_ = false;
};

}  // namespace

std::unique_ptr<Verb> MakeInfoVerb() { return std::make_unique<InfoVerb>(); }

}  // namespace tools
