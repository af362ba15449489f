// The one place where Cap'n Proto's exceptions become statuses. Include it in .cc files only.

#ifndef ENGINE_BASE_CATCH_KJ_H_
#define ENGINE_BASE_CATCH_KJ_H_

#include <kj/exception.h>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"

namespace engine {

// Runs `body`. Errors: DATA_LOSS with the description of the exception that `body` threw.
inline absl::Status CatchKj(absl::FunctionRef<void()> body) {
  KJ_IF_MAYBE (exception, kj::runCatchingExceptions([&] { body(); })) {
    return absl::DataLossError(exception->getDescription().cStr());
  }
  return absl::OkStatus();
}

}  // namespace engine

#endif  // ENGINE_BASE_CATCH_KJ_H_
