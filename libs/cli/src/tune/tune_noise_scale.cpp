#include <algorithm>

#include "command.hpp"
#include "tune_modes.hpp"

namespace batchscope::cli {
namespace {

using base::Error;
using base::ErrorKind;

// The smaller of the two batches that the scale is told from; larger ones tell less of it.
constexpr int64_t kSmallBatch = 8;
constexpr int kBatchesAStep = 8;
// Fewer tell nothing of the scale; more than the verb's own number are not needed.
constexpr int kFewestSteps = 20, kMostSteps = 200;

int steps_within(double seconds, const findings::TunedPoint& pick) {
  const double step_s = kBatchesAStep * pick.mean_ms / 1e3;
  return static_cast<int>(std::clamp(seconds / step_s, double{kFewestSteps}, double{kMostSteps}));
}

void add_loader_of(const schema::Loader& loader, std::vector<std::string>& arguments) {
  arguments.insert(arguments.end(),
                   {"--loader", loader.source, "--loader-workers", std::to_string(loader.workers)});
  if (loader.workers > 0) {
    arguments.insert(arguments.end(), {"--prefetch", std::to_string(loader.prefetch)});
  }
  if (loader.prefetch_to_device) arguments.insert(arguments.end(), {"--prefetch-to-device", "on"});
}

}  // namespace

base::Result<void> check_noise_scale(const TuneFlags& flags) {
  if (!flags.noise_scale) return {};
  const auto& modes = flags.profile.axes[schema::AxisId::mode];
  const bool trains = std::find(modes.begin(), modes.end(), "train") != modes.end();
  if (!trains || !flags.replay.empty() || flags.max_batch_only) {
    return Error{ErrorKind::usage, "gradients are there where training is measured",
                 "--noise-scale", "use it with --mode train"};
  }
  if (flags.profile.format == Format::text) return {};
  return Error{ErrorKind::usage, "both want standard output", "--noise-scale, --format json",
               "call `noise-scale --format json --run tune.jsonl` afterwards"};
}

int noise_scale_of_pick(const findings::TunedPoint& point, double seconds, const TuneFlags& flags) {
  const schema::RunConfig& pick = point.config;
  const ProfileFlags& typed = flags.profile;
  std::vector<std::string> arguments{"-m",
                                     typed.models.empty() ? pick.model : typed.models.front(),
                                     "-b",
                                     std::to_string(std::min(pick.shape.batch_size, kSmallBatch)),
                                     "--accumulation",
                                     std::to_string(kBatchesAStep),
                                     "--steps",
                                     std::to_string(steps_within(seconds, point)),
                                     "--optimizer",
                                     pick.optimizer,
                                     "--precision",
                                     std::string(schema::to_string(pick.precision)),
                                     "--device",
                                     pick.device,
                                     "--threads",
                                     std::to_string(pick.threads),
                                     "--engine",
                                     pick.engine,
                                     "--run",
                                     typed.output.path.string()};
  if (pick.shape.seq_len) {
    arguments.insert(arguments.end(), {"--seq-len", std::to_string(*pick.shape.seq_len)});
  }
  for (const std::string& input : typed.inputs) {
    arguments.insert(arguments.end(), {"--input", input});
  }
  if (pick.loader) add_loader_of(*pick.loader, arguments);
  return noise_scale_verb(arguments);
}

}  // namespace batchscope::cli
