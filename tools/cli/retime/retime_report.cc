#include "tools/cli/retime/retime_report.h"

#include <rapidjson/document.h>
#include <rapidjson/error/en.h>

#include <algorithm>
#include <map>
#include <optional>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "tools/cli/base/json.h"
#include "tools/cli/retime/hdr_text.h"

namespace tools {
namespace {

using rapidjson::Value;
using replay::LatencyHistogram;

constexpr char kRunSchema[] = "ticktape.retime.run/1";
constexpr char kBaselineSchema[] = "ticktape.retime.baseline/1";

void WriteNamed(JsonObject& json, const char* name, const NamedValues& values) {
  json.BeginObject(name);
  for (const auto& [key, value] : values) json.Field(key, value);
  json.EndObject();
}

void WriteHistogram(JsonObject& json, const char* name, const LatencyHistogram& histogram) {
  json.BeginObject(name);
  json.Field("count", histogram.count());
  json.Field("max", histogram.max());
  json.Field("hdr", EncodeHistogram(histogram));
  json.EndObject();
}

// Reads fields in order, and remembers the first one that is missing or of another type.
class Fields {
 public:
  Fields(const Value& object, std::string where) : object_(object), where_(std::move(where)) {
    if (!object_.IsObject()) Miss("an object");
  }

  uint64_t Number(const char* name) {
    const Value* value = Find(name);
    if (value != nullptr && value->IsUint64()) return value->GetUint64();
    Miss(absl::StrCat(name, ", a whole number"));
    return 0;
  }
  double Real(const char* name) {
    const Value* value = Find(name);
    if (value != nullptr && value->IsNumber() && value->GetDouble() > 0) return value->GetDouble();
    Miss(absl::StrCat(name, ", a number above zero"));
    return 1;
  }
  bool Flag(const char* name) {
    const Value* value = Find(name);
    if (value != nullptr && value->IsBool()) return value->GetBool();
    Miss(absl::StrCat(name, ", true or false"));
    return false;
  }
  std::string Text(const char* name) {
    const Value* value = Find(name);
    if (value != nullptr && value->IsString()) return value->GetString();
    Miss(absl::StrCat(name, ", a text"));
    return "";
  }
  NamedValues Named(const char* name) {
    NamedValues values;
    const Value* object = Find(name);
    if (object == nullptr || !object->IsObject()) {
      Miss(absl::StrCat(name, ", an object"));
      return values;
    }
    for (const auto& member : object->GetObject()) {
      if (!member.value.IsString()) {
        Miss(absl::StrCat(name, " of texts"));
        break;
      }
      values.emplace_back(member.name.GetString(), member.value.GetString());
    }
    return values;
  }
  LatencyHistogram Histogram(const char* name) {
    const Value* object = Find(name);
    if (object == nullptr || !object->IsObject()) {
      Miss(absl::StrCat(name, ", a histogram"));
      return {};
    }
    Fields fields(*object, absl::StrCat(where_, ".", name));
    const std::string text = fields.Text("hdr");
    const uint64_t max = fields.Number("max");
    const uint64_t count = fields.Number("count");
    Take(fields.status());
    absl::StatusOr<LatencyHistogram> histogram = DecodeHistogram(text, max);
    if (histogram.ok() && histogram->count() == count) return *std::move(histogram);
    if (histogram.ok()) {
      histogram = absl::DataLossError(absl::StrCat("histogram: holds ", histogram->count(),
                                                   " values, expected its count, ", count));
    }
    Take(absl::Status(histogram.status().code(),
                      absl::StrCat(where_, ".", name, ": ", histogram.status().message())));
    return {};
  }
  // Calls `each` with the fields of every element.
  template <typename Each>
  void Array(const char* name, Each each) {
    const Value* array = Find(name);
    if (array == nullptr || !array->IsArray()) return Miss(absl::StrCat(name, ", an array"));
    size_t index = 0;
    for (const Value& element : array->GetArray()) {
      Fields fields(element, absl::StrCat(where_, ".", name, "[", index++, "]"));
      each(fields);
      Take(fields.status());
    }
  }
  const Value* Find(const char* name) const {
    if (!object_.IsObject()) return nullptr;
    const auto member = object_.FindMember(name);
    return member == object_.MemberEnd() ? nullptr : &member->value;
  }

  void Take(const absl::Status& status) {
    if (status_.ok()) status_ = status;
  }
  const absl::Status& status() const { return status_; }

 private:
  void Miss(absl::string_view expected) {
    Take(absl::DataLossError(absl::StrCat(where_, ": expected ", expected)));
  }

  const Value& object_;
  const std::string where_;
  absl::Status status_;
};

absl::Status CheckSchema(Fields& fields, absl::string_view expected) {
  const std::string schema = fields.Text("schema");
  RETURN_IF_ERROR(fields.status());
  if (schema == expected) return absl::OkStatus();
  return absl::UnimplementedError(
      absl::StrCat("its schema is '", schema, "', this program reads ", expected));
}

void ReadClass(Fields& fields, RetimeReport& report) {
  RetimeReport::Class its_class;
  its_class.kind = fields.Text("kind");
  its_class.outcome = fields.Text("outcome");
  its_class.allocations = fields.Number("allocations");
  its_class.service = fields.Histogram("service_ns");
  if (fields.Find("latency_ns") != nullptr) its_class.latency = fields.Histogram("latency_ns");
  report.classes.push_back(std::move(its_class));
}

absl::StatusOr<RetimeReport> ReadReport(const Value& value, const std::string& where) {
  Fields fields(value, where);
  RETURN_IF_ERROR(CheckSchema(fields, kRunSchema));
  RetimeReport report;
  report.work = fields.Named("work");
  report.environment = fields.Named("environment");
  report.commands = fields.Number("commands");
  report.total_nanos = fields.Number("total_ns");
  report.is_open_loop = fields.Flag("open_loop");
  fields.Array("classes", [&](Fields& each) { ReadClass(each, report); });
  fields.Array("worst", [&](Fields& each) {
    report.worst.push_back({.sequence = each.Number("sequence"),
                            .name = each.Text("class"),
                            .service_nanos = each.Number("service_ns"),
                            .latency_nanos = each.Number("latency_ns")});
  });
  report.probe = fields.Histogram("probe_ns");
  report.yardstick = {.arithmetic = fields.Real("yardstick_arithmetic_ns"),
                      .near_memory = fields.Real("yardstick_near_memory_ns"),
                      .far_memory = fields.Real("yardstick_far_memory_ns")};
  report.thread_counts = {.minor_faults = fields.Number("minor_faults"),
                          .major_faults = fields.Number("major_faults"),
                          .switches = fields.Number("switches")};
  fields.Array("hardware_counts", [&](Fields& each) {
    report.hardware_counts.push_back({.name = each.Text("name"), .value = each.Number("value")});
  });
  report.hardware_counts_missing = fields.Text("hardware_counts_missing");
  fields.Array("conditions", [&](Fields& each) {
    report.conditions.push_back({.name = each.Text("name"),
                                 .asked = each.Flag("asked"),
                                 .taken = each.Flag("taken"),
                                 .detail = each.Text("detail")});
  });
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

uint64_t RetimeReport::allocations() const {
  uint64_t sum = 0;
  for (const Class& each : classes) sum += each.allocations;
  return sum;
}

std::string ToJson(const RetimeReport& report) {
  JsonObject json(kRunSchema);
  WriteNamed(json, "work", report.work);
  WriteNamed(json, "environment", report.environment);
  json.Field("commands", report.commands);
  json.Field("total_ns", report.total_nanos);
  json.Field("open_loop", report.is_open_loop);
  json.BeginArray("classes");
  for (const RetimeReport::Class& each : report.classes) {
    json.BeginElement();
    json.Field("kind", each.kind);
    json.Field("outcome", each.outcome);
    json.Field("allocations", each.allocations);
    WriteHistogram(json, "service_ns", each.service);
    if (report.is_open_loop) WriteHistogram(json, "latency_ns", each.latency);
    json.EndElement();
  }
  json.EndArray();
  json.BeginArray("worst");
  for (const RetimeReport::Slow& each : report.worst) {
    json.BeginElement();
    json.Field("sequence", each.sequence);
    json.Field("class", each.name);
    json.Field("service_ns", each.service_nanos);
    json.Field("latency_ns", each.latency_nanos);
    json.EndElement();
  }
  json.EndArray();
  WriteHistogram(json, "probe_ns", report.probe);
  json.Field("yardstick_arithmetic_ns", report.yardstick.arithmetic);
  json.Field("yardstick_near_memory_ns", report.yardstick.near_memory);
  json.Field("yardstick_far_memory_ns", report.yardstick.far_memory);
  json.Field("minor_faults", report.thread_counts.minor_faults);
  json.Field("major_faults", report.thread_counts.major_faults);
  json.Field("switches", report.thread_counts.switches);
  json.Objects("hardware_counts", report.hardware_counts, [&](const HardwareCount& each) {
    json.Field("name", each.name);
    json.Field("value", each.value);
  });
  json.Field("hardware_counts_missing", report.hardware_counts_missing);
  json.Objects("conditions", report.conditions, [&](const ConditionReport& each) {
    json.Field("name", each.name);
    json.Field("asked", each.asked);
    json.Field("taken", each.taken);
    json.Field("detail", each.detail);
  });
  return json.Take();
}

absl::StatusOr<RetimeReport> ParseRetimeReport(absl::string_view line) {
  rapidjson::Document document;
  RETURN_IF_ERROR(ParseDocument(line, document));
  return ReadReport(document, "run");
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
  Fields fields(document, "baseline");
  RETURN_IF_ERROR(CheckSchema(fields, kBaselineSchema));
  const Value* array = fields.Find("runs");
  if (array == nullptr || !array->IsArray() || array->Empty()) {
    return absl::DataLossError("baseline: expected runs, an array that is not empty");
  }
  std::vector<RetimeReport> runs;
  for (const Value& value : array->GetArray()) {
    ASSIGN_OR_RETURN(RetimeReport report,
                     ReadReport(value, absl::StrCat("baseline.runs[", runs.size(), "]")));
    if (!runs.empty() && report.work != runs.front().work) {
      return absl::DataLossError(
          absl::StrCat("baseline.runs[", runs.size(), "]: other work than the first run's"));
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
    all.commands += one.commands;
    all.total_nanos += one.total_nanos;
    all.probe.Add(one.probe);
    all.thread_counts.minor_faults += one.thread_counts.minor_faults;
    all.thread_counts.major_faults += one.thread_counts.major_faults;
    all.thread_counts.switches += one.thread_counts.switches;
    for (const RetimeReport::Class& each : one.classes) {
      for (RetimeReport::Class& merged : all.classes) {
        if (merged.name() != each.name()) continue;
        merged.service.Add(each.service);
        merged.latency.Add(each.latency);
        merged.allocations += each.allocations;
      }
    }
    all.worst.insert(all.worst.end(), one.worst.begin(), one.worst.end());
    for (size_t i = 0; i < std::min(all.hardware_counts.size(), one.hardware_counts.size()); ++i) {
      all.hardware_counts[i].value += one.hardware_counts[i].value;
    }
  }
  const auto nanos = [&](const RetimeReport::Slow& slow) {
    return all.is_open_loop ? slow.latency_nanos : slow.service_nanos;
  };
  std::stable_sort(all.worst.begin(), all.worst.end(),
                   [&](const auto& a, const auto& b) { return nanos(a) > nanos(b); });
  // A command that was slow in several runs is listed once, with its worst time.
  std::vector<RetimeReport::Slow> once;
  for (const RetimeReport::Slow& slow : all.worst) {
    const bool is_known = std::any_of(once.begin(), once.end(), [&](const auto& known) {
      return known.sequence == slow.sequence;
    });
    if (!is_known && once.size() < worst_count) once.push_back(slow);
  }
  all.worst = std::move(once);
  return all;
}

}  // namespace tools
