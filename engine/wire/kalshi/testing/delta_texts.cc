#include "engine/wire/kalshi/testing/delta_texts.h"

namespace engine::kalshi {

bool FindDeltaTexts(simdjson::ondemand::parser& parser, simdjson::padded_string_view bytes,
                    simdjson::ondemand::document& document, DeltaTexts& texts) {
  simdjson::ondemand::object frame;
  simdjson::ondemand::object msg;
  return parser.iterate(bytes).get(document) == simdjson::SUCCESS &&
         document.get_object().get(frame) == simdjson::SUCCESS &&
         frame.find_field("type").get(texts.type) == simdjson::SUCCESS &&
         frame.find_field("sid").get(texts.sid) == simdjson::SUCCESS &&
         frame.find_field("seq").get(texts.seq) == simdjson::SUCCESS &&
         frame.find_field("msg").get(msg) == simdjson::SUCCESS &&
         msg.find_field("market_ticker").get(texts.ticker) == simdjson::SUCCESS &&
         msg.find_field("price_dollars").get(texts.price) == simdjson::SUCCESS &&
         msg.find_field("delta_fp").get(texts.count) == simdjson::SUCCESS &&
         msg.find_field("side").get(texts.side) == simdjson::SUCCESS &&
         msg.find_field("ts").get(texts.time) == simdjson::SUCCESS;
}

}  // namespace engine::kalshi
