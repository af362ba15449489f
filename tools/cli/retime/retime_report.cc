#include "tools/cli/retime/retime_report.h"

#include <rapidjson/document.h>
#include <rapidjson/error/en.h>

#include <algorithm>
#include <map>

#include "absl/strings/str_cat.h"
#include "engine/base/sequence_number.h"
#include "engine/base/status_macros.h"
#include "replay/retime/latency_histogram.h"
#include "tools/cli/base/files.h"
#include "tools/cli/base/json.h"

namespace tools {
namespace {

using rapidjson::Value;
using replay::LatencyHistogram;

constexpr char kRunSchema[] = "ticktape.retime.run/1";
constexpr char kBaselineSchema[] = "ticktape.retime.baseline/1";

class RunWriter : public JsonObject {
 public:
  using JsonObject::Field;
  using JsonObject::JsonObject;

  void Field(const char* name, const NamedValues& values) { Named(name, values); }
  void Field(const char* name, const LatencyHistogram& histogram) {
    BeginObject(name);
    Field("count", histogram.count());
    Field("max", histogram.max());
    Field("hdr", replay::EncodeHistogram(histogram));
    EndObject();
  }
  void OptionalField(const char* name, const LatencyHistogram& histogram, bool is_there) {
    if (is_there) Field(name, histogram);
  }
  template <typename Items, typename Visit>
  void Objects(const char* name, const Items& items, Visit visit) {
    JsonObject::Objects(name, items, [&](const auto& item) { visit(*this, item); });
  }
};

// Reads fields in order, and remembers the first one that is missing or of another type.
class RunReader {
 public:
  RunReader(const Value& object, std::string where) : object_(object), where_(std::move(where)) {
    if (!object_.IsObject()) Miss("an object");
  }

  void Field(const char* name, uint64_t& value) {
    if (const Value* found = Get(name, &Value::IsUint64, ", a whole number")) {
      value = found->GetUint64();
    }
  }
  void Field(const char* name, engine::SequenceNumber& value) {
    uint64_t number = 0;
    Field(name, number);
    value = engine::SequenceNumber(number);
  }
  void Field(const char* name, double& value) {
    constexpr char kExpected[] = ", a number above zero";
    const Value* found = Get(name, &Value::IsNumber, kExpected);
    if (found != nullptr) value = found->GetDouble();
    if (!(value > 0)) Miss(absl::StrCat(name, kExpected));
  }
  void Field(const char* name, bool& value) {
    if (const Value* found = Get(name, &Value::IsBool, ", true or false")) value = found->GetBool();
  }
  void Field(const char* name, std::string& value) {
    if (const Value* found = Get(name, &Value::IsString, ", a text")) value = found->GetString();
  }
  void Field(const char* name, NamedValues& values) {
    const Value* object = Get(name, &Value::IsObject, ", an object");
    if (object == nullptr) return;
    for (const auto& member : object->GetObject()) {
      if (!member.value.IsString()) return Miss(absl::StrCat(name, " of texts"));
      values.emplace_back(member.name.GetString(), member.value.GetString());
    }
  }
  void Field(const char* name, LatencyHistogram& value) {
    const Value* object = Get(name, &Value::IsObject, ", a histogram");
    if (object == nullptr) return;
    RunReader fields(*object, absl::StrCat(where_, ".", name));
    std::string text;
    uint64_t max = 0;
    uint64_t count = 0;
    fields.Field("hdr", text);
    fields.Field("max", max);
    fields.Field("count", count);
    absl::StatusOr<LatencyHistogram> histogram = replay::DecodeHistogram(text, max);
    if (!histogram.ok()) {
      fields.Take(ErrorIn(fields.where_, histogram.status()));
    } else if (histogram->count() != count) {
      fields.Take(
          absl::DataLossError(absl::StrCat(fields.where_, ": histogram: holds ", histogram->count(),
                                           " values, expected its count, ", count)));
    } else {
      value = *std::move(histogram);
    }
    Take(fields.status());
  }
  void OptionalField(const char* name, LatencyHistogram& value, bool /*is_there*/) {
    if (Find(name) != nullptr) Field(name, value);
  }
  template <typename Item, typename Visit>
  void Objects(const char* name, std::vector<Item>& items, Visit visit) {
    const Value* array = Get(name, &Value::IsArray, ", an array");
    if (array == nullptr) return;
    for (const Value& element : array->GetArray()) {
      RunReader fields(element, absl::StrCat(where_, ".", name, "[", items.size(), "]"));
      visit(fields, items.emplace_back());
      Take(fields.status());
    }
  }
  const Value* Find(const char* name) const {
    if (!object_.IsObject()) return nullptr;
    const auto member = object_.FindMember(name);
    return member == object_.MemberEnd() ? nullptr : &member->value;
  }

  const absl::Status& status() const { return status_; }

 private:
  // Returns null if there is no field of that type.
  const Value* Get(const char* name, bool (Value::*is_expected)() const, const char* expected) {
    const Value* value = Find(name);
    if (value != nullptr && (value->*is_expected)()) return value;
    Miss(absl::StrCat(name, expected));
    return nullptr;
  }
  void Miss(absl::string_view expected) {
    Take(absl::DataLossError(absl::StrCat(where_, ": expected ", expected)));
  }
  void Take(const absl::Status& status) {
    if (status_.ok()) status_ = status;
  }

  const Value& object_;
  const std::string where_;
  absl::Status status_;
};

// Visits all fields of a run in their order, to write or to read them.
template <typename Fields, typename Run>
void VisitRun(Fields& fields, Run& run) {
  fields.Field("work", run.work);
  fields.Field("environment", run.environment);
  fields.Field("commands", run.commands);
  fields.Field("total_ns", run.total_nanos);
  fields.Field("open_loop", run.is_open_loop);
  fields.Objects("classes", run.classes, [&](Fields& of_class, auto& each) {
    of_class.Field("kind", each.kind);
    of_class.Field("outcome", each.outcome);
    of_class.Field("allocations", each.allocations);
    of_class.Field("service_ns", each.service);
    of_class.OptionalField("latency_ns", each.latency, run.is_open_loop);
  });
  fields.Objects("worst", run.worst, [](Fields& of_command, auto& each) {
    of_command.Field("sequence", each.sequence);
    of_command.Field("class", each.name);
    of_command.Field("service_ns", each.service_nanos);
    of_command.Field("latency_ns", each.latency_nanos);
  });
  fields.Field("probe_ns", run.probe);
  fields.Field("yardstick_arithmetic_ns", run.yardstick.arithmetic);
  fields.Field("yardstick_near_memory_ns", run.yardstick.near_memory);
  fields.Field("yardstick_far_memory_ns", run.yardstick.far_memory);
  fields.Field("minor_faults", run.thread_counts.minor_faults);
  fields.Field("major_faults", run.thread_counts.major_faults);
  fields.Field("switches", run.thread_counts.switches);
  fields.Objects("hardware_counts", run.hardware_counts, [](Fields& of_count, auto& each) {
    of_count.Field("name", each.name);
    of_count.Field("value", each.value);
  });
  fields.Field("hardware_counts_missing", run.hardware_counts_missing);
  fields.Objects("conditions", run.conditions, [](Fields& of_condition, auto& each) {
    of_condition.Field("name", each.name);
    of_condition.Field("asked", each.asked);
    of_condition.Field("taken", each.taken);
    of_condition.Field("detail", each.detail);
  });
}

absl::Status CheckSchema(RunReader& fields, absl::string_view expected) {
  std::string schema;
  fields.Field("schema", schema);
  RETURN_IF_ERROR(fields.status());
  if (schema == expected) return absl::OkStatus();
  return absl::UnimplementedError(
      absl::StrCat("its schema is '", schema, "', this program reads ", expected));
}

absl::StatusOr<RetimeReport> ReadRun(const Value& value, const std::string& where) {
  RunReader fields(value, where);
  RETURN_IF_ERROR(CheckSchema(fields, kRunSchema));
  RetimeReport report;
  VisitRun(fields, report);
  RETURN_IF_ERROR(fields.status());
  return report;
}

absl::Status ParseDocument(absl::string_view text, rapidjson::Document& document) {
  // Iterative, so that nesting cannot overflow the stack.
  document.Parse<rapidjson::kParseIterativeFlag>(text.data(), text.size());
  if (!document.HasParseError()) return absl::OkStatus();
  return absl::DataLossError(absl::StrCat("not JSON at byte ", document.GetErrorOffset(), ": ",
                                          rapidjson::GetParseError_En(document.GetParseError())));
}

}  // namespace

std::string ToJson(const RetimeReport& report) {
  RunWriter json(kRunSchema);
  VisitRun(json, report);
  return json.Take();
}

absl::StatusOr<RetimeReport> ParseRetimeReport(absl::string_view line) {
  rapidjson::Document document;
  RETURN_IF_ERROR(ParseDocument(line, document));
  return ReadRun(document, "run");
}

std::string ToBaseline(const std::vector<RetimeReport>& runs) {
  std::string out = absl::StrCat("{\"schema\":\"", kBaselineSchema, "\",\"runs\":[\n");
  for (size_t i = 0; i < runs.size(); ++i) {
    absl::StrAppend(&out, ToJson(runs[i]), i + 1 < runs.size() ? ",\n" : "\n");
  }
  return out + "]}\n";
}

absl::StatusOr<std::vector<RetimeReport>> ParseBaseline(absl::string_view text) {
  rapidjson::Document document;
  RETURN_IF_ERROR(ParseDocument(text, document));
  RunReader fields(document, "baseline");
  RETURN_IF_ERROR(CheckSchema(fields, kBaselineSchema));
  const Value* array = fields.Find("runs");
  if (array == nullptr || !array->IsArray() || array->Empty()) {
    return absl::DataLossError("baseline: expected runs, an array that is not empty");
  }
  std::vector<RetimeReport> runs;
  for (const Value& value : array->GetArray()) {
    const std::string where = absl::StrCat("baseline.runs[", runs.size(), "]");
    ASSIGN_OR_RETURN(RetimeReport report, ReadRun(value, where));
    if (!runs.empty() && report.work != runs.front().work) {
      return absl::DataLossError(absl::StrCat(where, ": other work than the first run's"));
    }
    runs.push_back(std::move(report));
  }
  return runs;
}

std::vector<std::string> Differences(const NamedValues& before, const NamedValues& after) {
  std::map<std::string, std::pair<std::string, std::string>> sides;
  for (const auto& [name, value] : before) sides[name].first = value;
  for (const auto& [name, value] : after) sides[name].second = value;
  std::vector<std::string> differences;
  for (const auto& [name, values] : sides) {
    if (values.first == values.second) continue;
    differences.push_back(absl::StrCat(name, ": ", values.first, " against ", values.second));
  }
  return differences;
}

RetimeReport Merge(const std::vector<RetimeReport>& runs, size_t worst_count) {
  RetimeReport all = runs.front();
  for (size_t run = 1; run < runs.size(); ++run) {
    const RetimeReport& one = runs[run];
    all.Add(one);
    all.probe.Add(one.probe);
    all.thread_counts.minor_faults += one.thread_counts.minor_faults;
    all.thread_counts.major_faults += one.thread_counts.major_faults;
    all.thread_counts.switches += one.thread_counts.switches;
    for (size_t i = 0; i < std::min(all.hardware_counts.size(), one.hardware_counts.size()); ++i) {
      all.hardware_counts[i].value += one.hardware_counts[i].value;
    }
  }
  all.KeepWorst(worst_count);
  return all;
}

}  // namespace tools
