// ticktape schema: shows the types of a journal's records, and whether this program can read them.

#include <filesystem>
#include <iterator>

#include "engine/messages/schema.h"
#include "replay/schema_compatibility.h"
#include "tools/cli/base/verb_includes.h"

namespace tools {
namespace {

// A compiled schema, and the id of its row struct.
struct Schema {
  std::vector<std::byte> bytes;
  uint64_t row = 0;

  friend bool operator==(const Schema&, const Schema&) = default;
};

Schema Today() { return {.bytes = engine::CompiledSchema(), .row = engine::CommandSchemaId()}; }

// Returns the schemas of a journal, each once, oldest first; or the one in a file.
absl::StatusOr<std::vector<Schema>> ReadSchemas(const std::string& path) {
  std::vector<Schema> schemas;
  if (std::filesystem::is_directory(path)) {
    ASSIGN_OR_RETURN(const OpenedJournal opened, OpenJournal(path));
    for (const journal::SegmentInfo& segment : opened.reader->info().segments) {
      Schema schema{.bytes = segment.metadata.row_schema, .row = segment.metadata.row_schema_id};
      if (std::find(schemas.begin(), schemas.end(), schema) == schemas.end()) {
        schemas.push_back(std::move(schema));
      }
    }
    return schemas;
  }
  ASSIGN_OR_RETURN(const std::string text, ReadFile(path));
  const engine::Bytes bytes = engine::AsBytes(absl::string_view(text));
  schemas.push_back({.bytes = {bytes.begin(), bytes.end()}, .row = engine::CommandSchemaId()});
  return schemas;
}

constexpr char kExamples[] = R"(  ticktape schema show a.tape
  ticktape schema compat old.tape
  ticktape schema compat old.tape --against new.tape
  ticktape schema save a.tape -o commands.schema

Every segment carries the compiled schema of its rows. 'compat' holds it against this
program's: what was recorded must be there, under the same name, at the same place,
of the same type; only additions pass. Exit code 1: something else has changed. In
Bazel: ticktape_schema_compat_test.)";

class SchemaVerb final : public Verb {
 public:
  SchemaVerb()
      : Verb("schema", "What a journal's records are made of, and whether they can still be read",
             kExamples) {}

  void Declare(Options& options) override {
    show_ = &options.AddAction("show", "Types, fields, and where their bytes are");
    compat_ = &options.AddAction("compat", "Can what was recorded be read by this program?");
    save_ = &options.AddAction("save", "Write the newest segment's schema to a file");
    for (Options* const action : {show_, compat_, save_}) {
      action->Add("path", path_, "A journal's folder, or a saved schema")
          .Required()
          .Type("JOURNAL");
    }
    compat_->Add("--against", against_, "Another journal or schema instead of this program's")
        .Type("JOURNAL");
    compat_->AddFlag("--allow-renames", allow_renames_, "Another name for the same bytes passes");
    save_->Add("-o,--output", output_, "The file").Required().Type("FILE");
  }

  absl::StatusOr<ExitCode> Run(Console& console) override {
    if (show_->chosen()) return Show(console);
    if (compat_->chosen()) return Compat(console);
    return Save(console);
  }

 private:
  absl::StatusOr<ExitCode> Show(Console& console) const {
    ASSIGN_OR_RETURN(const std::vector<Schema> schemas, ReadSchemas(path_));
    Report report("ticktape.schema/1");
    report.Field("path", path_);
    report.BeginArray("lines");
    for (const Schema& schema : schemas) {
      const auto lines = replay::DescribeSchema(schema.bytes);
      if (!lines.ok()) return ErrorIn(path_, lines.status());
      for (const std::string& line : *lines) {
        report.Element(line);
        report.Line(line);
      }
    }
    report.EndArray();
    report.PrintTo(console);
    return ExitCode::kOk;
  }

  bool Print(Console& console, const replay::SchemaComparison& comparison) const {
    const bool passes = comparison.breaks.empty() && (allow_renames_ || comparison.renames.empty());
    const std::string other = against_.empty() ? "this program" : against_;
    Report report("ticktape.schema_compat/1");
    report.Field("path", path_);
    report.Field("against", other);
    report.Field("compatible", passes);
    report.Field("types", comparison.type_count);
    report.Field("members", comparison.member_count);
    report.Texts("breaks", comparison.breaks);
    report.Texts("renames", comparison.renames);
    report.Texts("additions", comparison.additions);
    report.Line(passes ? Styled(Style::kGreen, "COMPATIBLE") : Styled(Style::kRed, "INCOMPATIBLE"),
                "  ", path_, "  with ", other);
    report.Row("compared", Counted(comparison.type_count, "type"), ", ", comparison.member_count,
               " fields and values");
    for (const std::string& line : comparison.breaks)
      report.Row("broken", Styled(Style::kRed, line));
    for (const std::string& line : comparison.renames) report.Row("renamed", line);
    for (const std::string& line : comparison.additions) report.Row("added", line);
    report.PrintTo(console);
    return passes;
  }

  absl::StatusOr<ExitCode> Compat(Console& console) const {
    ASSIGN_OR_RETURN(const std::vector<Schema> recorded, ReadSchemas(path_));
    std::vector<Schema> others = {Today()};
    if (!against_.empty()) {
      ASSIGN_OR_RETURN(others, ReadSchemas(against_));
    }
    bool passes = true;
    for (const Schema& schema : recorded) {
      const Schema& other = others.back();
      if (schema.row != other.row) {
        return absl::UnimplementedError(absl::StrCat(path_, ": its rows are structs ",
                                                     absl::Hex(schema.row), "; expected ",
                                                     absl::Hex(other.row)));
      }
      const auto comparison = replay::CompareSchemas(schema.bytes, other.bytes, schema.row);
      if (!comparison.ok()) return ErrorIn(path_, comparison.status());
      passes = Print(console, *comparison) && passes;
    }
    return passes ? ExitCode::kOk : ExitCode::kDifferent;
  }

  absl::StatusOr<ExitCode> Save(Console& console) const {
    ASSIGN_OR_RETURN(const std::vector<Schema> schemas, ReadSchemas(path_));
    if (schemas.empty()) return absl::NotFoundError(absl::StrCat(path_, " has no segment"));
    RETURN_IF_ERROR(WriteFile(output_, engine::AsText(schemas.back().bytes), /*replace=*/false));
    console.Note(output_, ": the schema of ", path_);
    return ExitCode::kOk;
  }

  Options* show_ = nullptr;
  Options* compat_ = nullptr;
  Options* save_ = nullptr;
  std::string path_;
  std::string against_;
  std::string output_;
  bool allow_renames_ = false;
};

}  // namespace

std::unique_ptr<Verb> MakeSchemaVerb() { return std::make_unique<SchemaVerb>(); }

}  // namespace tools
