#include "support.hpp"

#include "batchscope/timing/evidence.hpp"

namespace batchscope::analyze {
namespace {

using findings::Support;

// What all others that may be chosen say against a pick.
class Others {
 public:
  Others(const Choice& choice, const Pick& pick)
      : choice_(choice), pick_(pick), level_of_(competitors(choice, pick)) {
    for (std::size_t g = 0; g < choice.groups.size(); ++g) {
      if (!choice.comparable(choice.groups[g].key, choice.groups[pick.group].key)) continue;
      for (const std::size_t s : choice.feasible(g)) {
        if (Pick{g, s} != pick) hear({g, s});
      }
    }
  }

  Supported verdict() const {
    if (untested_) return {Support::unconfirmed_best};
    if (!open_) return {Support::shown};
    if (any_worse_) return {Support::unconfirmed_best};
    return {Support::open, open_->estimate, open_->blocks_needed, open_->needs_longer_visits};
  }

 private:
  void hear(const Pick& other) {
    const RateContrast contrast = rate_contrast(choice_, other, pick_);
    if (contrast.logs.size() < 2) {
      untested_ = true;
      return;
    }
    const Gain gain = gain_of(contrast, level_of_, choice_.options);
    const auto& interval = gain.estimate.ci;
    if (!interval) {
      untested_ = true;
    } else if (interval->high < 0) {
      any_worse_ = true;
    } else if (interval->high >= choice_.options.practical) {
      if (!open_ || open_->estimate.value < gain.estimate.value) open_ = gain;
    }
  }

  const Choice& choice_;
  const Pick& pick_;
  std::size_t level_of_;
  bool untested_ = false;     // there is no test of some
  bool any_worse_ = false;    // some are shown to be worse
  std::optional<Gain> open_;  // the largest that may be one
};

}  // namespace

Supported support_of(const Choice& choice, const Pick& pick, const std::optional<Gain>& gain) {
  if (!choice.view.repeated) return {};
  const bool shown = gain && gain->verdict == GainVerdict::shown && gain->estimate.ci;
  Supported supported = shown ? Supported{Support::shown} : Others(choice, pick).verdict();
  const auto visits = static_cast<std::size_t>(choice.row(pick).n);
  if (supported.support == Support::shown && visits < timing::kPairsToProve) {
    supported.support = Support::unconfirmed_best;
  }
  return supported;
}

}  // namespace batchscope::analyze
