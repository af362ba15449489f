// The sessions of a gateway by their ids.

#ifndef ENGINE_GATEWAY_SESSION_TABLE_H_
#define ENGINE_GATEWAY_SESSION_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "engine/gateway/session_gateway.h"

namespace engine {

// Not thread-safe: a member of the gateway. `Session` is made of its SessionId and further values.
// Sessions stay where they are until they are removed.
template <typename Session>
class SessionTable {
 public:
  template <typename... Values>
  Session& Add(Values&&... values) {
    if (free_places_.empty()) {
      free_places_.push_back(static_cast<uint32_t>(places_.size()));
      places_.emplace_back();
      generations_.push_back(0);
    }
    const uint32_t place = free_places_.back();
    free_places_.pop_back();
    const SessionId id = {.place = place, .generation = ++generations_[place]};
    places_[place] = std::make_unique<Session>(id, std::forward<Values>(values)...);
    return *places_[place];
  }

  // Null if it has ended.
  Session* Find(SessionId id) const {
    if (id.place >= places_.size() || generations_[id.place] != id.generation) return nullptr;
    return places_[id.place].get();
  }

  // REQUIRES: it is in the table.
  void Remove(SessionId id) {
    places_[id.place].reset();
    free_places_.push_back(id.place);
  }

  // Calls `visit` with each session. It removes and adds none.
  void VisitAll(absl::FunctionRef<void(Session&)> visit) const {
    for (const std::unique_ptr<Session>& session : places_) {
      if (session != nullptr) visit(*session);
    }
  }

  size_t size() const { return places_.size() - free_places_.size(); }

 private:
  std::vector<std::unique_ptr<Session>> places_;  // Null where free.
  std::vector<uint32_t> generations_;             // Of each place's last session.
  std::vector<uint32_t> free_places_;
};

}  // namespace engine

#endif  // ENGINE_GATEWAY_SESSION_TABLE_H_
