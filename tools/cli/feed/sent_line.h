// One line of a feed as it is sent: packets, what a bad network does to them, a socket.

#ifndef TOOLS_CLI_FEED_SENT_LINE_H_
#define TOOLS_CLI_FEED_SENT_LINE_H_

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "tools/feed/line_faults.h"
#include "tools/os/network/datagrams.h"

namespace tools {

// Not thread-safe: owned by the verb.
class SentLine {
 public:
  SentLine(std::unique_ptr<DatagramSender> sender, const LineFaults::Options& faults)
      : sender_(std::move(sender)), faults_(faults) {}

  // Copies the packet; it leaves with the next Send().
  void Add(engine::Bytes packet) {
    faults_.Take(packet, [this](engine::Bytes arriving) { Gather(arriving); });
  }
  // What waits to be overtaken is overtaken by nothing any more.
  void Flush() {
    faults_.Flush([this](engine::Bytes arriving) { Gather(arriving); });
  }
  void Send() {
    packets_.clear();
    size_t begin = 0;
    for (const size_t end : ends_) {
      packets_.push_back(engine::AsBytes(absl::string_view(bytes_).substr(begin, end - begin)));
      begin = end;
    }
    sender_->Send(packets_);
    bytes_.clear();
    ends_.clear();
  }

  const DatagramSender& sender() const { return *sender_; }
  const LineFaults& faults() const { return faults_; }

 private:
  void Gather(engine::Bytes packet) {
    absl::StrAppend(&bytes_, engine::AsText(packet));
    ends_.push_back(bytes_.size());
  }

  std::unique_ptr<DatagramSender> sender_;
  LineFaults faults_;
  std::string bytes_;
  std::vector<size_t> ends_;  // Of the packets in bytes_.
  std::vector<engine::Bytes> packets_;
};

}  // namespace tools

#endif  // TOOLS_CLI_FEED_SENT_LINE_H_
