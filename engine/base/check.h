// CHECK(condition): aborts the program if the condition does not hold.
//
//   CHECK(level.order_count > 0) << "level " << price;
//   CHECK_EQ(record.sequence, last_applied + 1);
//
// Always on, also in optimised builds. For programming errors only: a CHECK never depends on input
// that a peer or a file can send (that is a Status or a rejection event). Replaying the journal
// reproduces the state that led to a failure.

#ifndef ENGINE_BASE_CHECK_H_
#define ENGINE_BASE_CHECK_H_

#include <sstream>

namespace engine::check_internal {

// Collects the message; its destructor prints it to standard error and aborts.
class Failure {
 public:
  Failure(const char* file, int line, const char* condition);
  Failure(const Failure&) = delete;
  Failure& operator=(const Failure&) = delete;
  [[noreturn]] ~Failure();

  std::ostream& stream() { return stream_; }

 private:
  std::ostringstream stream_;
};

// Makes both branches of the conditional in CHECK void; & binds looser than <<.
struct Voidify {
  void operator&(std::ostream&) const {}
};

}  // namespace engine::check_internal

#define CHECK(condition)                      \
  (__builtin_expect(!!(condition), 1))        \
      ? static_cast<void>(0)                  \
      : ::engine::check_internal::Voidify() & \
            ::engine::check_internal::Failure(__FILE__, __LINE__, #condition).stream()

#define ENGINE_CHECK_OP(op, a, b) CHECK((a)op(b)) << "(" << (a) << " vs " << (b) << ") "
#define CHECK_EQ(a, b) ENGINE_CHECK_OP(==, a, b)
#define CHECK_NE(a, b) ENGINE_CHECK_OP(!=, a, b)
#define CHECK_LT(a, b) ENGINE_CHECK_OP(<, a, b)
#define CHECK_LE(a, b) ENGINE_CHECK_OP(<=, a, b)
#define CHECK_GT(a, b) ENGINE_CHECK_OP(>, a, b)
#define CHECK_GE(a, b) ENGINE_CHECK_OP(>=, a, b)

// For an absl::Status that is not OK only because of a programming error.
#define CHECK_OK(expression)                                          \
  do {                                                                \
    const auto& check_ok_status = (expression);                       \
    CHECK(check_ok_status.ok()) << check_ok_status.ToString() << " "; \
  } while (false)

#endif  // ENGINE_BASE_CHECK_H_
