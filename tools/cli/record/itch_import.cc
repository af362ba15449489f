#include "tools/cli/record/itch_import.h"

#include <cstdint>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/status_macros.h"
#include "engine/wire/itch/message_type.h"
#include "engine/wire/itch/messages.h"
#include "engine/wire/mold/receiver.h"
#include "tools/cli/base/console_text.h"
#include "tools/cli/base/format.h"

namespace tools {
namespace {

// " (A 4,758, D 4,083)": counts by type letter, without zeros.
std::string PerType(const engine::ItchCounters::PerType& counts) {
  std::string text;
  for (size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 0) continue;
    absl::StrAppend(&text, text.empty() ? "" : ", ",
                    absl::string_view(&engine::kItchTypes[i].letter, 1), " ",
                    WithCommas(counts[i]));
  }
  return text.empty() ? "" : absl::StrCat(" (", text, ")");
}

// Executions of orders that the stream has not added: there is nothing to check.
uint64_t NotApplicable(const engine::ItchCounters& counters) {
  return counters.unknown_references[engine::kItchIndexOf<engine::ItchOrderExecuted>];
}

// Makes every parser error DATA_LOSS: a malformed stream is damaged input. Damaged compression may
// decompress without error, but to nonsense. An error of the compression itself says so.
absl::Status AsDamage(const absl::Status& status, absl::string_view compression) {
  if (compression.empty() || absl::StartsWith(status.message(), absl::StrCat(compression, ": "))) {
    return absl::DataLossError(status.message());
  }
  return absl::DataLossError(
      absl::StrCat(status.message(), " (offsets are in the uncompressed stream; '", compression,
                   " -t' tells whether the compression is damaged)"));
}

}  // namespace

absl::StatusOr<bool> ItchImport::Take(engine::Bytes chunk) {
  reader_.Feed(chunk);
  engine::ItchMessage message;
  while (true) {
    const absl::StatusOr<bool> more = reader_.Next(message);
    if (!more.ok()) input_status_ = AsDamage(more.status(), reader_.compression());
    if (!more.ok() || !*more) return input_status_.ok() && !chunk.empty();
    RETURN_IF_ERROR(translator_.Translate(message));
  }
}

void AddItchRows(Report& report, const engine::ItchCounters& counters) {
  report.Row("messages", WithCommas(counters.TotalMessages()), PerType(counters.messages));
  report.Row("unknown orders", WithCommas(counters.TotalUnknownReferences()),
             PerType(counters.unknown_references),
             counters.TotalUnknownReferences() == 0 ? "" : " from before the recording");
  // Further counters are unusual, so only those that are not zero are printed; JSON has all.
  for (const auto& [name, count] :
       {std::pair("stocks without a directory message", counters.markets_defined_by_orders),
        std::pair("repeated directory messages", counters.markets_repeated),
        std::pair("refused stocks", counters.markets_refused),
        std::pair("orders for refused stocks", counters.orders_without_market),
        std::pair("orders under a reference that is live", counters.references_repeated),
        std::pair("executions and cancels of more than was left", counters.quantities_exceeded)}) {
    if (count > 0) report.Row("oddity", WithCommas(count), " ", name);
  }
}

void AddMoldRows(Report& report, const engine::MoldCapture& capture) {
  const engine::MoldCapture::Counters& packets = capture.counters();
  const engine::MoldReceiver& receiver = capture.receiver();
  const engine::MoldReceiver::Counters& received = receiver.counters();
  report.Row("packets", WithCommas(packets.packets), ", ", WithCommas(packets.other_packets),
             " of them not MoldUDP64");
  if (receiver.next_sequence() > receiver.first_sequence()) {
    const engine::MoldRange range = {receiver.first_sequence(), receiver.next_sequence() - 1};
    report.Row("session", receiver.session(), ", messages ", range.ToString(),
               receiver.has_ended() ? ", ended" : "");
  }
  report.Row("received again", Counted(received.duplicates, "message"));
  for (const engine::MoldRange& gap : packets.first_gaps) report.Row("  missing", gap.ToString());
  for (const auto& [name, count] :
       {std::pair("packets of which the capture has the beginning only", packets.cut_packets),
        std::pair("messages from before the first packet, which arrived after it",
                  received.too_early),
        std::pair("messages missing", packets.missing_messages)}) {
    if (count > 0) report.Row("oddity", WithCommas(count), " ", name);
  }
}

void AddMoldFields(JsonObject& json, const engine::MoldCapture& capture) {
  const engine::MoldCapture::Counters& packets = capture.counters();
  const engine::MoldReceiver& receiver = capture.receiver();
  json.BeginObject("mold");
  json.Field("packets", packets.packets);
  json.Field("other_packets", packets.other_packets);
  json.Field("cut_packets", packets.cut_packets);
  json.Field("session", receiver.session());
  json.Field("first_sequence", receiver.first_sequence());
  json.Field("next_sequence", receiver.next_sequence());
  json.Field("duplicates", receiver.counters().duplicates);
  json.Field("too_early", receiver.counters().too_early);
  json.Field("heartbeats", receiver.counters().heartbeats);
  json.Field("gaps", packets.gaps);
  json.Field("missing_messages", packets.missing_messages);
  json.Objects("first_gaps", packets.first_gaps, [&](const engine::MoldRange& gap) {
    json.Field("first", gap.first);
    json.Field("last", gap.last);
  });
  json.EndObject();
}

void AddExecutionRows(Report& report, const engine::ItchCounters& counters,
                      const engine::ItchExecutionCheck& check) {
  const bool good = check.mismatched() == 0;
  report.Row("executions",
             Styled(Style::kGreen, absl::StrCat(WithCommas(check.matched()), " matched")), ", ",
             Styled(good ? Style::kPlain : Style::kRed,
                    absl::StrCat(WithCommas(check.mismatched()), " mismatched")),
             ", ", WithCommas(NotApplicable(counters)), " not applicable");
  if (check.orders_unexpectedly_traded() > 0) {
    report.Row("traded early", Counted(check.orders_unexpectedly_traded(), "order"),
               " traded on arrival that rested at Nasdaq");
  }
  for (const auto& mismatch : check.mismatches()) {
    report.Row("  mismatch", "@", mismatch.sequence.value(), " match ",
               mismatch.expected.match_number, ": expected ", mismatch.expected.quantity.units(),
               " of order ", mismatch.expected.maker.value(), " (reference ",
               mismatch.expected.order_reference, "), got ", mismatch.what_happened);
  }
}

void AddPriorityRows(Report& report, const PriorityCheck& check) {
  for (size_t i = 0; i < engine::kItchTypeCount; ++i) {
    const PriorityCheck::Counts& counts = check.counts()[i];
    if (counts.executions == 0) continue;
    report.Row(absl::StrCat("executed ", absl::string_view(&engine::kItchTypes[i].letter, 1)),
               WithCommas(counts.executions),
               "; price-time priority would have chosen another order ",
               WithCommas(counts.others()), " times: ", WithCommas(counts.earlier_orders),
               " at the same price, ", WithCommas(counts.better_prices), " at a better one");
  }
}

void AddPriorityFields(JsonObject& json, const PriorityCheck& check) {
  json.BeginObject("priority");
  for (size_t i = 0; i < engine::kItchTypeCount; ++i) {
    const PriorityCheck::Counts& counts = check.counts()[i];
    if (counts.executions == 0) continue;
    json.BeginObject(engine::kItchTypes[i].name);
    json.Field("executions", counts.executions);
    json.Field("others_chosen", counts.others());
    json.Field("others_at_the_price", counts.earlier_orders);
    json.Field("others_at_a_better_price", counts.better_prices);
    json.EndObject();
  }
  json.EndObject();
}

void AddItchFields(JsonObject& json, const engine::ItchCounters& counters,
                   const engine::ItchExecutionCheck* check) {
  json.Named("itch", counters.Rows());
  if (check == nullptr) return;
  json.BeginObject("executions");
  json.Field("matched", check->matched());
  json.Field("mismatched", check->mismatched());
  json.Field("not_applicable", NotApplicable(counters));
  json.Field("traded_early", check->orders_unexpectedly_traded());
  json.EndObject();
}

}  // namespace tools
