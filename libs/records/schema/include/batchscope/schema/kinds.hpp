#pragma once

#include <string_view>

namespace batchscope::schema {

// Why a visit was made. Choosing a configuration never looks at `verify`; timing never looks at
// `diagnostic`.
enum class Purpose { measure, control, longer, intervention, verify, diagnostic };
std::string_view to_string(Purpose purpose);

// What times iterations: the machine's steady clock, an engine that states laws and takes no time,
// somebody else before the table was imported.
enum class ClockKind { steady, virtual_time, imported, other };
std::string_view to_string(ClockKind kind);

// Why a run ended.
enum class EndReason {
  target_reached,  // every contrast's interval is as narrow as was wanted: "precision-reached"
  blocks_done,
  budget,
  interrupted,
  nothing_left,  // no configuration that can be measured
  search_done,   // of the largest batches
  imported,
  other
};
std::string_view to_string(EndReason reason);

}  // namespace batchscope::schema
