// What Kalshi answers where the exchange refuses.

#ifndef ENGINE_GATEWAY_KALSHI_REFUSALS_H_
#define ENGINE_GATEWAY_KALSHI_REFUSALS_H_

#include "engine/gateway/kalshi/authentication.h"
#include "engine/messages/reject_reason.h"
#include "engine/wire/kalshi/errors.h"

namespace engine {

kalshi::Error RefusalOf(RejectReason reason);

// REQUIRES: not kOk.
kalshi::Error RefusalOf(KalshiAuthResult result);

}  // namespace engine

#endif  // ENGINE_GATEWAY_KALSHI_REFUSALS_H_
