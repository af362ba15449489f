#include "tools/cli/serve/itch_fields.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/status_macros.h"
#include "engine/gateway/itch/itch_snapshots.h"
#include "engine/wire/itch/feed.h"
#include "engine/wire/pcap/udp.h"
#include "tools/cli/serve/login_fields.h"
#include "tools/cli/serve/soup_login_fields.h"
#include "tools/os/network/endpoint.h"

namespace tools {
namespace {

constexpr size_t kLinesMax = 2;

template <typename Int>
void ReadNumber(JsonFields& fields, const std::string& field, Int least, Int most, Int& into) {
  fields.Number(field, into);
  if (into >= least && into <= most) return;
  fields.Refuse(field, "", absl::StrCat("a whole number from ", least, " to ", most));
}

bool IsDatagramAddress(absl::string_view text, bool has_port) {
  const absl::StatusOr<Endpoint> endpoint = Endpoint::Parse(text);
  return endpoint.ok() && endpoint->family != Endpoint::Family::kUnix &&
         (endpoint->port != 0 || !has_port);
}

absl::Status ReadLine(JsonFields& fields, ItchConfig& itch) {
  ItchLineConfig line;
  line.address = fields.Text("address");
  if (!IsDatagramAddress(line.address, /*has_port=*/true)) {
    fields.Refuse("address", "", "an address and a port, e.g. 239.1.1.1:26400");
  }
  line.interface = fields.Text("interface");
  if (!IsWord(line.interface, 0, SIZE_MAX)) {
    fields.Refuse("interface", "", "the name of an interface or its IPv4 address");
  }
  ReadNumber(fields, "hops", 0, 255, line.hops);
  itch.lines.push_back(std::move(line));
  return fields.Finish();
}

}  // namespace

absl::StatusOr<ItchConfig> TakeItch(JsonFields& fields) {
  ItchConfig itch;
  fields.Objects("lines", [&itch](JsonFields& line) { return ReadLine(line, itch); });
  if (itch.lines.empty() || itch.lines.size() > kLinesMax) {
    fields.Refuse("lines", "", "one or two objects");
  }
  ReadNumber(fields, "packet_bytes", static_cast<uint32_t>(engine::kItchPacketBytesMin),
             static_cast<uint32_t>(engine::kUdpPayloadBytesMax), itch.packet_bytes);
  itch.retransmission = fields.Text("retransmission");
  if (!itch.retransmission.empty() && !IsDatagramAddress(itch.retransmission, /*has_port=*/false)) {
    fields.Refuse("retransmission", "", "an address and a port, e.g. 127.0.0.1:26401");
  }
  ReadNumber<uint32_t>(fields, "requests_per_second_max", 1, UINT32_MAX,
                       itch.requests_per_second_max);
  ReadNumber<uint32_t>(fields, "kept_megabytes", 1, 1'000'000, itch.kept_megabytes);
  itch.snapshots = fields.Text("snapshots");
  if (!IsWord(itch.snapshots, 0, SIZE_MAX)) {
    fields.Refuse("snapshots", "", "e.g. 127.0.0.1:7004");
  }
  SoupLoginFields login_fields;
  fields.Objects("logins", [&](JsonFields& login) {
    engine::ItchLogin& taken = itch.logins.emplace_back();
    login_fields.Read(login, taken.user, taken.password);
    return login.Finish();
  });
  RETURN_IF_ERROR(fields.Finish());
  return itch;
}

}  // namespace tools
