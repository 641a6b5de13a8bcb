#include "batchscope/serving/step_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "batchscope/stats/rng.hpp"

namespace batchscope::serving {
namespace {

using base::Error;
using base::ErrorKind;

// Fewer batches in a class would meet again in every epoch.
constexpr std::size_t kFewestBatches = 4;
constexpr int kBisections = 48;

base::Result<void> check(std::span<const int64_t> lengths, const BatchSamplerOptions& options) {
  const auto low = std::min({options.max_tokens, options.max_batch, options.window, options.ranks});
  if (low < 1) {
    return Error{ErrorKind::usage, "max_tokens, max_batch, window and ranks must be at least 1"};
  }
  if (lengths.empty()) return Error{ErrorKind::input, "the data set is empty"};
  const auto wrong =
      std::find_if(lengths.begin(), lengths.end(), [](int64_t length) { return length < 1; });
  if (wrong != lengths.end()) {
    return Error{ErrorKind::input, fmt::format("a length is {}, but must be at least 1", *wrong),
                 fmt::format("sample {}", wrong - lengths.begin())};
  }
  const auto samples = static_cast<int64_t>(lengths.size());
  if (samples < options.ranks) {
    return Error{ErrorKind::input,
                 fmt::format("{} samples are too few to give each of {} ranks a batch", samples,
                             options.ranks)};
  }
  if (samples > std::numeric_limits<uint32_t>::max()) {
    return Error{ErrorKind::input, "more than 4,294,967,295 samples"};
  }
  return {};
}

// How many samples a batch has whose longest has this length.
std::size_t batch_size(int64_t longest, const BatchSamplerOptions& options) {
  const int64_t fits =
      std::max<int64_t>(1, std::min(options.max_batch, options.max_tokens / longest));
  const auto end = std::upper_bound(options.sizes.begin(), options.sizes.end(), fits);
  if (end == options.sizes.begin()) return static_cast<std::size_t>(fits);
  if (!options.cost) return static_cast<std::size_t>(*(end - 1));
  const auto seconds_a_sample = [&](int64_t size) {
    return options.cost(size, longest) / static_cast<double>(size);
  };
  return static_cast<std::size_t>(*std::min_element(
      std::reverse_iterator(end), options.sizes.rend(),
      [&](int64_t a, int64_t b) { return seconds_a_sample(a) < seconds_a_sample(b); }));
}

// Cuts ascending lengths into classes, from the longest on.
class ClassCutter {
 public:
  ClassCutter(std::span<const int64_t> ascending, const BatchSamplerOptions& options)
      : ascending_(ascending), options_(options) {
    tokens_.reserve(ascending.size() + 1);
    tokens_.push_back(0);
    for (const int64_t length : ascending) tokens_.push_back(tokens_.back() + length);
  }

  // As many classes as are allowed, each with as much padding as the others: what makes the padding
  // of all of them least.
  std::vector<LengthClass> cut() const {
    // One more: what is left of the shortest samples may be a class.
    const auto most = static_cast<std::size_t>(options_.window) + 1;
    double low = 0, high = padding(0, ascending_.size());
    for (int i = 0; i < kBisections && high > 0; ++i) {
      const double middle = (low + high) / 2;
      (classes_of(middle, most).empty() ? low : high) = middle;
    }
    return classes_of(high, ascending_.size());
  }

 private:
  // Tokens that are computed for nothing, if all are padded to the longest.
  double padding(std::size_t begin, std::size_t end) const {
    if (begin == end) return 0;
    return static_cast<double>(ascending_[end - 1]) * static_cast<double>(end - begin) -
           static_cast<double>(tokens_[end] - tokens_[begin]);
  }

  LengthClass class_before(std::size_t end, double most_padding) const {
    const auto ranks = static_cast<std::size_t>(options_.ranks);
    const std::size_t batch = batch_size(ascending_[end - 1], options_);
    const std::size_t step = batch * ranks, most = end / step;
    // Padding grows with the steps.
    std::size_t low = std::min(most, (kFewestBatches + ranks - 1) / ranks), high = most;
    while (low < high) {
      const std::size_t middle = low + (high - low + 1) / 2;
      if (padding(end - middle * step, end) <= most_padding) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    const std::size_t begin = end - low * step;
    // Fewer than the ranks are no step of their own.
    return {begin < ranks || low == 0 ? 0 : begin, end, batch, low};
  }

  // Empty: they would be too many.
  std::vector<LengthClass> classes_of(double most_padding, std::size_t most) const {
    std::vector<LengthClass> classes;
    for (std::size_t end = ascending_.size(); end > 0; end = classes.back().begin) {
      if (classes.size() == most) return {};
      classes.push_back(class_before(end, most_padding));
    }
    return classes;
  }

  std::span<const int64_t> ascending_;
  const BatchSamplerOptions& options_;
  std::vector<int64_t> tokens_;  // of all before
};

std::vector<std::size_t> even_parts(std::size_t samples, std::size_t parts) {
  std::vector<std::size_t> sizes(parts, samples / parts);
  for (std::size_t i = 0; i < samples % parts; ++i) ++sizes[i];
  return sizes;
}

}  // namespace

base::Result<StepPlan> StepPlan::make(std::span<const int64_t> lengths,
                                      const BatchSamplerOptions& options) {
  if (auto checked = check(lengths, options); !checked) return checked.error();
  StepPlan plan;
  plan.ranks_ = static_cast<std::size_t>(options.ranks);
  plan.samples_.resize(lengths.size());
  std::iota(plan.samples_.begin(), plan.samples_.end(), 0U);
  std::stable_sort(plan.samples_.begin(), plan.samples_.end(),
                   [&](uint32_t a, uint32_t b) { return lengths[a] < lengths[b]; });
  for (const uint32_t sample : plan.samples_) plan.ascending_.push_back(lengths[sample]);
  for (const int64_t length : lengths) {
    plan.lengths_digest_ = stats::mix_seed(plan.lengths_digest_, static_cast<uint64_t>(length));
  }
  plan.classes_ = ClassCutter(plan.ascending_, options).cut();
  plan.cut_last_steps();
  plan.find_ties();
  return plan;
}

void StepPlan::cut_last_steps() {
  LengthClass& last = classes_.back();
  std::size_t left = last.end - last.begin - last.steps * last.batch * ranks_;
  if (left >= ranks_) {
    last_batches_ = even_parts(left, ranks_);
  } else if (left > 0 && last.batch > 1) {
    --last.steps;
    last_batches_ = even_parts(left + last.batch * ranks_, 2 * ranks_);
  } else if (left > 0) {
    over_budget_ = left;
    last_batches_ = even_parts(left + ranks_, ranks_);
    last.begin = left + ranks_;
    --last.steps;
    classes_.push_back({.begin = 0, .end = left + ranks_});
  }
  steps_ = last_batches_.size() / ranks_;
  for (const LengthClass& each : classes_) steps_ += each.steps;
}

void StepPlan::find_ties() {
  for (const LengthClass& each : classes_) {
    if (each.begin == 0 || ascending_[each.begin - 1] != ascending_[each.begin]) continue;
    const auto run = std::equal_range(ascending_.begin(), ascending_.end(), ascending_[each.begin]);
    const std::pair<std::size_t, std::size_t> tie(run.first - ascending_.begin(),
                                                  run.second - ascending_.begin());
    if (ties_.empty() || ties_.back() != tie) ties_.push_back(tie);
  }
}

uint64_t StepPlan::digest() const {
  uint64_t digest = stats::mix_seed(lengths_digest_, ranks_);
  for (const LengthClass& each : classes_) {
    for (const std::size_t part : {each.begin, each.batch, each.steps}) {
      digest = stats::mix_seed(digest, part);
    }
  }
  return digest;
}

EpochOrder::EpochOrder(std::shared_ptr<const StepPlan> plan, uint64_t seed, int64_t epoch)
    : plan_(std::move(plan)), places_(plan_->samples()) {
  stats::Rng rng(stats::mix_seed(seed, static_cast<uint64_t>(epoch)));
  const auto shuffle = [&](std::size_t begin, std::size_t end) {
    rng.shuffle(std::span(places_).subspan(begin, end - begin));
  };
  std::iota(places_.begin(), places_.end(), 0U);
  for (const auto& [begin, end] : plan_->ties()) shuffle(begin, end);
  for (const LengthClass& each : plan_->classes()) {
    shuffle(each.begin, each.end);
    cut_class(each);
  }
  sequence_.resize(plan_->steps());
  std::iota(sequence_.begin(), sequence_.end(), 0U);
  rng.shuffle(std::span(sequence_).first(cuts_.size() / plan_->ranks()));
  cut_last_steps();
  // No rank has always the longest.
  for (std::size_t step = 0; plan_->ranks() > 1 && step < plan_->steps(); ++step) {
    rng.shuffle(std::span(cuts_).subspan(step * plan_->ranks(), plan_->ranks()));
  }
}

void EpochOrder::cut_class(const LengthClass& each) {
  const std::size_t first = cuts_.size(), batches = each.steps * plan_->ranks();
  for (std::size_t i = 0; i < batches; ++i)
    cuts_.push_back({each.begin + i * each.batch, each.batch});
  if (plan_->ranks() == 1) return;
  // Neighbours by their longest samples make a step.
  std::vector<std::pair<uint32_t, Cut>> by_longest;
  for (std::size_t i = first; i < cuts_.size(); ++i) {
    const auto of = places_.begin() + static_cast<std::ptrdiff_t>(cuts_[i].begin);
    const auto end = of + static_cast<std::ptrdiff_t>(cuts_[i].count);
    by_longest.emplace_back(*std::max_element(of, end), cuts_[i]);
  }
  std::sort(by_longest.begin(), by_longest.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  for (std::size_t i = first; i < cuts_.size(); ++i) cuts_[i] = by_longest[i - first].second;
}

void EpochOrder::cut_last_steps() {
  const LengthClass& last = plan_->classes().back();
  std::size_t at = last.begin + last.steps * last.batch * plan_->ranks();
  for (const std::size_t count : plan_->last_batches()) {
    cuts_.push_back({at, count});
    at += count;
  }
}

std::vector<uint32_t> EpochOrder::batch(std::size_t step, std::size_t rank) const {
  const Cut cut = cuts_[sequence_[step] * plan_->ranks() + rank];
  const auto begin = places_.begin() + static_cast<std::ptrdiff_t>(cut.begin);
  std::vector<uint32_t> places(begin, begin + static_cast<std::ptrdiff_t>(cut.count));
  std::sort(places.begin(), places.end());
  return places;
}

}  // namespace batchscope::serving
