#include "batchscope/capacity/known_ceilings.hpp"

#include <fmt/format.h>

#include <map>

#include "batchscope/base/units.hpp"

namespace batchscope::capacity {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;

std::string note_of(const schema::RunConfig& config, const Ceiling& ceiling) {
  return fmt::format(
      "Skipped batch sizes from {} up ({}): {} ran out of memory in the run of {} at a limit "
      "of {}.",
      ceiling.batch_size, schema::describe(schema::without_batch_size(config)), ceiling.batch_size,
      ceiling.when, base::format_bytes(ceiling.limit_bytes));
}

}  // namespace

Result<void> leave_out_known(const OomLimits& ceilings, const Room& room, measure::Job& job) {
  std::map<std::string, int64_t> rooms;
  std::map<std::string, std::optional<Ceiling>> known;
  const auto above = [&](const schema::RunConfig& config) {
    const std::string key = ceiling_key(job.header, config);
    if (known.count(key) == 0) {
      const auto [place, is_new] = rooms.try_emplace(config.device, 0);
      if (is_new) place->second = room(config.device);
      known[key] = ceilings.find(key, place->second);
      if (known[key]) job.header.notes.push_back(note_of(config, *known[key]));
    }
    return known[key] && config.shape.batch_size >= known[key]->batch_size;
  };
  std::erase_if(job.configs, above);
  job.header.configurations = static_cast<int64_t>(job.configs.size());
  if (!job.configs.empty()) return {};
  return Error{ErrorKind::usage, "every batch size ran out of memory in an earlier run",
               ceilings.path().string(), "add smaller --batch-sizes, or --forget-ceilings"};
}

void forget_known(const measure::Job& job, OomLimits& ceilings) {
  for (const schema::RunConfig& config : job.configs) {
    (void)ceilings.forget(ceiling_key(job.header, config));
  }
}

}  // namespace batchscope::capacity
