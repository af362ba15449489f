#include "replay/retime/retime_plan.h"

#include <map>
#include <span>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "journal/log_digest.h"
#include "replay/driver.h"
#include "replay/output.h"

namespace replay {
namespace {

void NoteTimed(RetimePlan& plan, const RetimeSpeed& speed, const journal::Record& record,
               const RecordClass& its_class, std::map<RecordClass, uint16_t>& index_of_class) {
  const auto [entry, is_new] =
      index_of_class.emplace(its_class, static_cast<uint16_t>(plan.classes.size()));
  if (is_new) plan.classes.push_back(its_class);
  plan.class_of.push_back(entry->second);
  if (!speed.is_open_loop()) return;
  const int64_t first_nanos = plan.rows[plan.timed_from].timestamp.nanos();
  const auto since_first =
      static_cast<uint64_t>(record.timestamp().nanos()) - static_cast<uint64_t>(first_nanos);
  plan.due_nanos.push_back(speed.DueNanos(plan.class_of.size() - 1, since_first));
}

}  // namespace

absl::StatusOr<RetimePlan> MakeRetimePlan(journal::Reader& reader, Machine& machine,
                                          const Vocabulary& vocabulary,
                                          engine::SequenceNumber first, engine::SequenceNumber last,
                                          const RetimeSpeed& speed,
                                          absl::FunctionRef<void(uint64_t)> progress) {
  const engine::SequenceNumber begin = reader.info().first_sequence;
  if (last - begin >= kRetimeCommandsMax) {
    return absl::ResourceExhaustedError(
        absl::StrCat("@", begin.value(), "..@", last.value(), ": expected at most ",
                     kRetimeCommandsMax, " commands, which are held in memory; --to takes fewer"));
  }
  RETURN_IF_ERROR(reader.SeekToSequence(begin));
  RetimePlan plan;
  plan.timed_from = first - begin;
  plan.rows.reserve(last - begin + 1);
  std::map<RecordClass, uint16_t> index_of_class;
  journal::LogDigest log;
  Driver driver(machine);
  RETURN_IF_ERROR(
      driver.Run(reader, last, [&](const journal::Record& record, std::span<const Output> outputs) {
        log.Add(record);
        if (!record.attachment.empty()) {
          plan.attachments.emplace_back(
              plan.rows.size(),
              std::vector<std::byte>(record.attachment.begin(), record.attachment.end()));
        }
        plan.rows.push_back(*record.row);
        if (record.sequence() >= first) {
          NoteTimed(plan, speed, record,
                    {.kind = vocabulary.KindOf(*record.row),
                     .outcome = vocabulary.OutcomeOf(*record.row, outputs)},
                    index_of_class);
        }
        progress(record.sequence().value());
        return true;
      }));
  const journal::Checkpoint end = driver.Checkpoint();
  plan.log = log.Value();
  plan.trace = end.trace.value_or(engine::Digest());
  plan.state = end.state.value_or(engine::Digest());
  return plan;
}

}  // namespace replay
