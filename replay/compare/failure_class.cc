#include "replay/compare/failure_class.h"

#include <algorithm>
#include <concepts>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "engine/messages/names.h"

namespace replay {
namespace {

using engine::Event;
using engine::EventKind;

class Fields {
 public:
  Fields(const Event& a, const Event& b) : a_(a), b_(b) {}

  void Add(absl::string_view field, std::integral auto a, std::integral auto b) {
    if (a == b) return;
    differing_.push_back({.field = field, .a = absl::StrCat(a), .b = absl::StrCat(b)});
  }
  void AddNames(absl::string_view field, const std::string& a, const std::string& b) {
    if (a != b) differing_.push_back({.field = field, .a = a, .b = b});
  }

  std::vector<FieldDifference> Find() {
    if (a_.kind == EventKind::kBalance) {
      FindMoney();
    } else {
      FindOrder();
    }
    Add("account", a_.account.value(), b_.account.value());
    Add("market", a_.market.value(), b_.market.value());
    AddNames("side", engine::NameOf(a_.side), engine::NameOf(b_.side));
    FindDetail();
    return std::move(differing_);
  }

 private:
  void FindMoney() {
    Add("order", a_.order_id.value(), b_.order_id.value());
    Add("change", a_.change().micros(), b_.change().micros());
    Add("fee", a_.fee().micros(), b_.fee().micros());
    Add("balance", a_.balance().micros(), b_.balance().micros());
    Add("reserved", a_.reserved().micros(), b_.reserved().micros());
  }
  void FindOrder() {
    const bool is_trade = a_.kind == EventKind::kTrade;
    Add(is_trade ? "maker" : "order", a_.order_id.value(), b_.order_id.value());
    Add(is_trade ? "taker" : "from", a_.counter_order_id.value(), b_.counter_order_id.value());
    Add(a_.kind == EventKind::kPosition ? "position" : "price", a_.price.units(), b_.price.units());
    Add("quantity", a_.quantity.units(), b_.quantity.units());
    Add("remaining", a_.quantity_remaining.units(), b_.quantity_remaining.units());
  }
  void FindDetail() {
    switch (a_.kind) {
      case EventKind::kRejected:
        return AddNames("reason", NameOf(a_.reject_reason()), NameOf(b_.reject_reason()));
      case EventKind::kCancelled:
        return AddNames("reason", NameOf(a_.cancel_reason()), NameOf(b_.cancel_reason()));
      case EventKind::kAmended:
        return AddNames("priority", NameOf(a_.priority()), NameOf(b_.priority()));
      default:
        return Add("detail", unsigned{a_.detail}, unsigned{b_.detail});
    }
  }

  const Event& a_;
  const Event& b_;
  std::vector<FieldDifference> differing_;
};

// "rejected(price_off_tick)", "trade".
std::string KindText(const Event& event) {
  std::string text = engine::NameOf(event.kind);
  if (event.kind == EventKind::kRejected) {
    absl::StrAppend(&text, "(", engine::NameOf(event.reject_reason()), ")");
  } else if (event.kind == EventKind::kCancelled) {
    absl::StrAppend(&text, "(", engine::NameOf(event.cancel_reason()), ")");
  }
  return text;
}

std::string EventsClass(const Difference& difference) {
  const size_t i = FirstDifferingEvent(difference);
  const auto& a = difference.a.events;
  const auto& b = difference.b.events;
  if (i >= a.size()) return absl::StrCat("only B says ", KindText(b[i]));
  if (i >= b.size()) return absl::StrCat("only A says ", KindText(a[i]));
  if (a[i].kind != b[i].kind) return absl::StrCat(KindText(a[i]), " against ", KindText(b[i]));
  const auto fields = DifferingFields(a[i], b[i]);
  return absl::StrCat(engine::NameOf(a[i].kind), ".",
                      fields.empty() ? "sequence" : fields.front().field);
}

}  // namespace

std::vector<FieldDifference> DifferingFields(const Event& a, const Event& b) {
  return Fields(a, b).Find();
}

size_t FirstDifferingEvent(const Difference& difference) {
  const auto& a = difference.a.events;
  const auto& b = difference.b.events;
  const auto [at, ignored] = std::ranges::mismatch(a, b);
  return static_cast<size_t>(at - a.begin());
}

std::string EndSite(absl::string_view last_words) {
  const size_t check = last_words.find(": CHECK failed");
  if (check != absl::string_view::npos) {
    const absl::string_view before = last_words.substr(0, check);
    const size_t begin = before.find_last_of(" \n");
    return std::string(begin == absl::string_view::npos ? before : before.substr(begin + 1));
  }
  const std::vector<absl::string_view> lines = absl::StrSplit(last_words, '\n');
  return std::string(lines.front());
}

std::string FailureClass(const Difference& difference) {
  const std::string command = engine::NameOf(difference.command.kind);
  switch (difference.what) {
    case Difference::What::kEvents:
      return absl::StrCat(command, ": ", EventsClass(difference));
    case Difference::What::kState:
      return absl::StrCat(command, ": state");
    case Difference::What::kEnded:
      break;
  }
  std::string text = command + ":";
  if (difference.a.ended) absl::StrAppend(&text, " A ends at ", EndSite(*difference.a.ended));
  if (difference.b.ended) absl::StrAppend(&text, " B ends at ", EndSite(*difference.b.ended));
  return text;
}

}  // namespace replay
