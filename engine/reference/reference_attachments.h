// Attachments as the reference exchange reads them. Which fields they have and which values are
// sound is written here a second time, from engine/RULES.md, so that a fault in the codecs of
// engine/messages shows as a difference. Both decode bytes by the same schema and Cap'n Proto.

#ifndef ENGINE_REFERENCE_REFERENCE_ATTACHMENTS_H_
#define ENGINE_REFERENCE_REFERENCE_ATTACHMENTS_H_

#include <optional>

#include "engine/base/bytes.h"
#include "engine/types/fee_schedule.h"
#include "engine/types/market_definition.h"
#include "engine/types/note.h"
#include "engine/types/risk_limits.h"

namespace engine {

// Each reads any bytes safely. Nullopt if they are not such a message or its values are unsound.
std::optional<MarketDefinition> ReadReferenceDefinition(Bytes bytes);
std::optional<RiskLimits> ReadReferenceLimits(Bytes bytes);
std::optional<FeeSchedule> ReadReferenceFees(Bytes bytes);
std::optional<Note> ReadReferenceNote(Bytes bytes);

// RULES.md, 5, 10, 8 and 6.
bool IsSoundForReference(const MarketDefinition& definition);
bool IsSoundForReference(const RiskLimits& limits);
bool IsSoundForReference(const FeeSchedule& fees);
bool IsSoundForReference(const Note& note);

}  // namespace engine

#endif  // ENGINE_REFERENCE_REFERENCE_ATTACHMENTS_H_
