// Checks that the engine's book shows what LOBSTER's order book file does, after every message.

#ifndef TOOLS_CLI_RECORD_LOBSTER_CHECK_H_
#define TOOLS_CLI_RECORD_LOBSTER_CHECK_H_

#include <cstdint>
#include <deque>
#include <span>

#include "engine/base/sequence_number.h"
#include "engine/messages/command.h"
#include "engine/messages/command_sink.h"
#include "engine/messages/event.h"
#include "engine/views/depth_view.h"
#include "engine/wire/lobster/lines.h"

namespace tools {

// Not thread-safe: owned by the thread that receives events; it receives all of the journal.
class LobsterCheck final : public engine::EventListener {
 public:
  // The book after the command `sequence`, the last of the message on line `line`. REQUIRES: no
  // later command was submitted.
  void Expect(engine::SequenceNumber sequence, uint64_t line, const engine::LobsterBook& book);

  void OnEvents(const engine::Command& command, std::span<const engine::Event> events) override;

  uint64_t equal() const { return equal_; }
  uint64_t different() const { return different_; }
  uint64_t first_different_line() const { return first_different_line_; }  // 0: none.

 private:
  struct Expected {
    engine::SequenceNumber sequence;
    uint64_t line = 0;
    engine::LobsterBook book;
  };

  void Compare(uint64_t line, const engine::LobsterBook& book);
  bool IsEqual(engine::Side side, const engine::LobsterBook& book) const;

  engine::DepthView depth_;
  engine::SequenceNumber last_;    // Whose events have arrived.
  std::deque<Expected> expected_;  // Whose events have not.
  uint64_t equal_ = 0;
  uint64_t different_ = 0;
  uint64_t first_different_line_ = 0;
};

}  // namespace tools

#endif  // TOOLS_CLI_RECORD_LOBSTER_CHECK_H_
