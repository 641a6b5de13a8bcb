#include <fmt/format.h>

#include "batchscope/document/csv.hpp"
#include "batchscope/report/max_batch.hpp"

namespace batchscope::report {

std::string max_batch_csv(const capacity::MaxBatchResult& result) {
  std::string text =
      "model,device,precision,mode,checkpointing,batch_size,purpose,outcome,peak_bytes,limit_bytes,"
      "message\n";
  for (const capacity::FoundBatch& found : result.found) {
    const schema::RunConfig& config = found.config;
    for (const schema::Probe& probe : found.probes) {
      text +=
          fmt::format("{},{},{},{},{},{},{},{},{},{},{}\n", document::csv_text(config.model),
                      document::csv_text(config.device), schema::to_string(config.precision),
                      schema::to_string(config.mode), config.checkpointing ? "on" : "off",
                      probe.batch_size, probe.purpose.text(), probe.outcome.text(),
                      probe.peak_bytes ? fmt::format("{}", *probe.peak_bytes) : std::string(),
                      probe.limit_bytes > 0 ? fmt::format("{}", probe.limit_bytes) : std::string(),
                      document::csv_text(probe.message));
    }
  }
  return text;
}

}  // namespace batchscope::report
