#include "known_ceilings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "batchscope/base/units.hpp"
#include "batchscope/tune/ceilings.hpp"
#include "batchscope/tune/outcome.hpp"
#include "memory_room.hpp"

namespace batchscope::cli {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;

// What the workers of a run get: the limit that was typed, else what the device has.
class Rooms {
 public:
  explicit Rooms(const schema::Plan& plan) : typed_(plan.memory_limit_bytes) {}

  int64_t of(const std::string& device) {
    if (typed_) return *typed_;
    auto known = known_.find(device);
    if (known == known_.end()) known = known_.emplace(device, memory_room(device).bytes).first;
    return known->second;
  }

 private:
  std::optional<int64_t> typed_;
  std::map<std::string, int64_t> known_;
};

std::string note_of(const schema::RunConfig& config, const tune::Ceiling& ceiling) {
  return fmt::format(
      "Batch sizes from {} on are left out ({}): {} ran out of memory in the run of "
      "{} at a limit of {}.",
      ceiling.batch_size, schema::describe(schema::without_batch_size(config)), ceiling.batch_size,
      ceiling.when, base::format_bytes(ceiling.limit_bytes));
}

}  // namespace

Result<void> leave_out_ceilings(const TuneFlags& flags, measure::Job& job) {
  const auto path = flags.ceilings.empty() ? tune::default_ceilings_file() : flags.ceilings;
  auto ceilings = tune::Ceilings::open(path);
  if (!ceilings) return ceilings.error();
  Rooms rooms(job.header.plan);
  std::map<std::string, std::optional<tune::Ceiling>> known;
  const auto above = [&](const schema::RunConfig& config) {
    const std::string key = tune::ceiling_key(job.header, config);
    if (known.count(key) == 0) {
      if (flags.forget_ceilings) (void)ceilings->forget(key);
      known[key] = ceilings->find(key, rooms.of(config.device));
      if (known[key]) job.header.notes.push_back(note_of(config, *known[key]));
    }
    return known[key] && config.shape.batch_size >= known[key]->batch_size;
  };
  std::erase_if(job.configs, above);
  job.header.configurations = static_cast<int64_t>(job.configs.size());
  if (!job.configs.empty()) return {};
  return Error{ErrorKind::usage, "every batch size ran out of memory in an earlier run",
               path.string(), "add smaller --batch-sizes, or --forget-ceilings"};
}

}  // namespace batchscope::cli
