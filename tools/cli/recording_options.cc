#include "tools/cli/recording_options.h"

#include <CLI/CLI.hpp>
#include <map>

#include "tools/cli/engine_option.h"

namespace tools {

void RecordingOptions::Declare(CLI::App& app, bool path_is_required) {
  const std::map<std::string, replay::AckPolicy> policies = {
      {"none", replay::AckPolicy::kNone},
      {"written", replay::AckPolicy::kWritten},
      {"disk", replay::AckPolicy::kDisk}};
  const std::map<std::string, journal::Compression> compressions = {
      {"none", journal::Compression::kNone}, {"zstd", journal::Compression::kZstd}};
  app.add_option("-o,--output", path_, "The journal: a folder that does not exist yet")
      ->type_name("JOURNAL")
      ->required(path_is_required);
  app.add_option("--ack", ack_,
                 "What an event waits for before it leaves: none, written (survives the process;\n"
                 "the default) or disk (survives the machine)")
      ->type_name("POLICY")
      ->transform(CLI::Transformer(policies).description(""));
  AddEngineOption(app, engine_);
  app.add_option("--compress", writer_.compression, "zstd (the default) or none")
      ->type_name("HOW")
      ->transform(CLI::Transformer(compressions).description(""));
  app.add_option("--segment", writer_.segment_bytes, "Seal a segment at this size; e.g. 64M, 1G")
      ->type_name("SIZE")
      ->transform(CLI::AsSizeValue(/*kb_is_1000=*/false).description(""))
      ->check(CLI::Range(uint64_t{64} << 10, uint64_t{16} << 30).description(""));
}

Recording::Options RecordingOptions::Get(const std::string& created_by) const {
  return {.path = path_,
          .created_by = created_by,
          .recorder = {.ack = ack_},
          .writer = writer_,
          .engine = engine_};
}

}  // namespace tools
