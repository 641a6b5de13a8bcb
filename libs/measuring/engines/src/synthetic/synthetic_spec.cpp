#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "batchscope/base/enum_names.hpp"
#include "batchscope/base/parse_number.hpp"
#include "batchscope/base/strings.hpp"
#include "batchscope/base/units.hpp"
#include "batchscope/engines/synthetic.hpp"

namespace batchscope::engines {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;

Error usage(std::string_view item, std::string_view problem) {
  return {ErrorKind::usage, fmt::format("synthetic: '{}' {}", item, problem), "",
          "write for example affine:5ms,2ms;anomaly=4:1.1;visit_sd=0.015;spike=0.02:1.3"};
}

std::optional<double> number(std::string_view text) {
  const auto value = base::parse_number<double>(text);
  return value && std::isfinite(*value) && *value >= 0 ? value : std::nullopt;
}

std::optional<int64_t> full(std::string_view text) {
  const auto value = base::parse_number<int64_t>(text);
  return value && *value >= 0 ? value : std::nullopt;
}

std::optional<double> time_ns(std::string_view text) {
  const auto duration = base::parse_duration(text);
  if (!duration || duration->count() < 0) return std::nullopt;
  return static_cast<double>(duration->count());
}

// How many coefficients a law takes; the last of a staircase is a plain number.
size_t coefficient_count(SyntheticLaw law) {
  switch (law) {
    case SyntheticLaw::affine:
      return 2;
    case SyntheticLaw::staircase:
      return 3;
    case SyntheticLaw::roofline:
      return 4;
    case SyntheticLaw::table:
      break;
  }
  return 0;
}

constexpr std::array kLaws = {base::Name<SyntheticLaw>{SyntheticLaw::affine, "affine"},
                              base::Name<SyntheticLaw>{SyntheticLaw::staircase, "staircase"},
                              base::Name<SyntheticLaw>{SyntheticLaw::roofline, "roofline"},
                              base::Name<SyntheticLaw>{SyntheticLaw::table, "table"}};

Result<void> parse_coefficients(std::string_view item, std::string_view values,
                                SyntheticSpec& spec) {
  const auto parts = base::split(values, ',');
  if (parts.size() != coefficient_count(spec.law)) {
    return usage(item, fmt::format("needs {} values", coefficient_count(spec.law)));
  }
  spec.coefficients.clear();
  for (const std::string_view part : parts) {
    const bool is_step = spec.law == SyntheticLaw::staircase && spec.coefficients.size() == 2;
    const auto value = is_step ? number(part) : time_ns(part);
    if (!value || (is_step && *value < 1)) {
      return usage(item, fmt::format("has '{}' where a {} belongs", part,
                                     is_step ? "step of at least 1" : "time such as 5ms"));
    }
    spec.coefficients.push_back(*value);
  }
  return {};
}

Result<void> parse_table(std::string_view item, std::string_view values, SyntheticSpec& spec) {
  for (const std::string_view part : base::split(values, ',')) {
    const size_t equals = part.find('=');
    const auto size = full(part.substr(0, equals));
    const auto time =
        equals == std::string_view::npos ? std::nullopt : time_ns(part.substr(equals + 1));
    if (!size || !time) return usage(item, "needs entries such as 1=50.3ms");
    spec.table[*size] = *time;
  }
  return {};
}

Result<void> parse_law(std::string_view item, SyntheticSpec& spec) {
  const size_t colon = item.find(':');
  const auto law = base::value_of(kLaws, "law", item.substr(0, colon));
  if (!law) return usage(item, "is not a law: affine, roofline, staircase, table");
  spec.law = *law;
  const std::string_view values =
      colon == std::string_view::npos ? std::string_view() : item.substr(colon + 1);
  return spec.law == SyntheticLaw::table ? parse_table(item, values, spec)
                                         : parse_coefficients(item, values, spec);
}

// The parts of "a:b:c" as numbers; nothing when one is none, or there are too few or too many.
std::optional<std::vector<double>> numbers(std::string_view text, size_t fewest, size_t most) {
  std::vector<double> values;
  for (const std::string_view part : base::split(text, ':')) {
    const auto value = number(part);
    if (!value) return std::nullopt;
    values.push_back(*value);
  }
  if (values.size() < fewest || values.size() > most) return std::nullopt;
  return values;
}

using Setter = std::function<bool(std::string_view, SyntheticSpec&)>;

Setter to_number(double SyntheticSpec::*field) {
  return [field](std::string_view text, SyntheticSpec& spec) {
    const auto value = number(text);
    if (value) spec.*field = *value;
    return value.has_value();
  };
}

Setter to_size(std::optional<int64_t> SyntheticSpec::*field) {
  return [field](std::string_view text, SyntheticSpec& spec) {
    spec.*field = full(text);
    return (spec.*field).has_value();
  };
}

// "4:1.1"; may be repeated.
Setter to_factor(std::map<int64_t, double> SyntheticSpec::*field) {
  return [field](std::string_view text, SyntheticSpec& spec) {
    const auto parts = numbers(text, 2, 2);
    if (!parts || (*parts)[1] <= 0) return false;
    (spec.*field)[std::llround((*parts)[0])] = (*parts)[1];
    return true;
  };
}

bool set_spike(std::string_view text, SyntheticSpec& spec) {
  const auto parts = numbers(text, 1, 2);
  if (!parts || (*parts)[0] > 1) return false;
  spec.spike_probability = (*parts)[0];
  if (parts->size() > 1) spec.spike_factor = (*parts)[1];
  return true;
}

bool set_burst(std::string_view text, SyntheticSpec& spec) {
  const auto parts = numbers(text, 1, 3);
  if (!parts || (*parts)[0] > 1) return false;
  spec.burst_probability = (*parts)[0];
  if (parts->size() > 1) spec.burst_factor = (*parts)[1];
  if (parts->size() > 2) spec.burst_visits = static_cast<int>((*parts)[2]);
  return true;
}

bool set_modes(std::string_view text, SyntheticSpec& spec) {
  const auto parts = numbers(text, 2, 3);
  if (!parts || (*parts)[0] > 1 || (*parts)[1] <= 0) return false;
  ModesSpec& modes = spec.modes.emplace_back(ModesSpec{(*parts)[0], (*parts)[1]});
  if (parts->size() > 2) modes.batch_size = std::llround((*parts)[2]);
  return true;
}

bool set_autocorrelation(std::string_view text, SyntheticSpec& spec) {
  const auto parts = numbers(text, 2, 2);
  if (!parts || (*parts)[1] >= 1) return false;
  spec.autocorrelation = {(*parts)[0], (*parts)[1]};
  return true;
}

bool set_slow_iteration(std::string_view text, SyntheticSpec& spec) {
  const auto parts = numbers(text, 2, 2);
  if (!parts || (*parts)[0] < 1 || (*parts)[1] <= 0) return false;
  spec.slow_iteration[std::llround((*parts)[0])] = (*parts)[1];
  return true;
}

bool set_slow_at_random(std::string_view text, SyntheticSpec& spec) {
  const auto parts = numbers(text, 2, 2);
  if (!parts || (*parts)[0] > 1 || (*parts)[1] <= 0) return false;
  spec.slow_at_random = {(*parts)[0], (*parts)[1]};
  return true;
}

bool set_settling(std::string_view text, SyntheticSpec& spec) {
  const size_t colon = text.find(':');
  if (colon == std::string_view::npos) return false;
  const auto after = time_ns(text.substr(0, colon));
  const auto rest = numbers(text.substr(colon + 1), 1, 2);
  if (!after || *after <= 0 || !rest || rest->front() <= 0) return false;
  spec.settling = {*after, rest->front(), rest->size() > 1 ? rest->back() : 0};
  return true;
}

Setter to_slow_start(bool decays) {
  return [decays](std::string_view text, SyntheticSpec& spec) {
    const auto parts = numbers(text, 3, 3);
    if (!parts || (*parts)[1] < 1 || (*parts)[2] <= 0) return false;
    spec.slow_start[std::llround((*parts)[0])] = {static_cast<int>((*parts)[1]), (*parts)[2],
                                                  decays};
    return true;
  };
}

bool set_cache(std::string_view text, SyntheticSpec& spec) {
  const auto parts = numbers(text, 2, 3);
  if (!parts || (*parts)[0] <= 0 || (*parts)[1] <= 0 || parts->back() <= 0) return false;
  spec.cache = {(*parts)[0], (*parts)[1], parts->size() > 2 ? (*parts)[2] : 1};
  return true;
}

// "3ms:2" or "3ms:2:0.5".
bool set_preemption(std::string_view text, SyntheticSpec& spec) {
  const size_t colon = text.find(':');
  if (colon == std::string_view::npos) return false;
  const auto slice = time_ns(text.substr(0, colon));
  const auto rest = numbers(text.substr(colon + 1), 1, 2);
  if (!slice || *slice <= 0 || !rest || (rest->size() > 1 && rest->back() > 1)) return false;
  spec.preemption = {*slice, rest->front(), rest->size() > 1 ? rest->back() : 1};
  return true;
}

bool set_load(std::string_view text, SyntheticSpec& spec) {
  const auto value = time_ns(text);
  if (value) spec.load_ns = *value;
  return value.has_value();
}

bool set_allocate(std::string_view text, SyntheticSpec& spec) {
  const auto value = base::parse_bytes(text);
  if (value) spec.allocate_bytes = *value;
  return value.has_value();
}

// "64MiB:4MiB" or "64MiB:4MiB:8".
bool set_memory(std::string_view text, SyntheticSpec& spec) {
  const auto parts = base::split(text, ':');
  if (parts.size() < 2 || parts.size() > 3) return false;
  const auto base = base::parse_bytes(parts[0]), sample = base::parse_bytes(parts[1]);
  const auto step = parts.size() > 2 ? full(parts[2]) : std::optional<int64_t>(1);
  if (!base || !sample || !step || *step < 1) return false;
  MemoryLawSpec& memory = spec.memory ? *spec.memory : spec.memory.emplace();
  memory.base_bytes = *base;
  memory.sample_bytes = *sample;
  memory.step = *step;
  return true;
}

// "3" or "3:1.5".
bool set_memory_train(std::string_view text, SyntheticSpec& spec) {
  const auto parts = numbers(text, 1, 2);
  if (!parts) return false;
  MemoryLawSpec& memory = spec.memory ? *spec.memory : spec.memory.emplace();
  memory.train = parts->front();
  memory.checkpointed = parts->back();
  return true;
}

bool set_per_token(std::string_view text, SyntheticSpec& spec) {
  spec.per_token = full(text);
  return spec.per_token && *spec.per_token > 0;
}

bool set_real(std::string_view text, SyntheticSpec& spec) {
  spec.real = text == "1";
  return text == "0" || text == "1";
}

const std::map<std::string_view, Setter>& setters() {
  using S = SyntheticSpec;
  static const std::map<std::string_view, Setter> all{
      {"anomaly", to_factor(&S::anomalies)},
      {"heap_returned", to_factor(&S::heap_returned)},
      {"process_sd", to_number(&S::process_sd)},
      {"visit_sd", to_number(&S::visit_sd)},
      {"iteration_sd", to_number(&S::iteration_sd)},
      {"uneven", to_number(&S::uneven_sd)},
      {"drift", to_number(&S::drift_per_hour)},
      {"spike", set_spike},
      {"burst", set_burst},
      {"warmup", to_number(&S::warmup_excess)},
      {"load", set_load},
      {"visit_df", to_number(&S::visit_df)},
      {"run_sd", to_number(&S::run_sd)},
      {"autocorrelated", set_autocorrelation},
      {"modes", set_modes},
      {"carry_over", to_factor(&S::carry_over)},
      {"step", to_factor(&S::steps)},
      {"slow_iteration", set_slow_iteration},
      {"slow_at_random", set_slow_at_random},
      {"slow_processes", to_number(&S::slow_processes)},
      {"settling", set_settling},
      {"slow_start", to_slow_start(/*decays=*/false)},
      {"settles", to_slow_start(/*decays=*/true)},
      {"cache", set_cache},
      {"preempt", set_preemption},
      {"per_token", set_per_token},
      {"contention", to_number(&S::contention)},
      {"oom_above", to_size(&S::oom_above)},
      {"throw_at", to_size(&S::throw_at)},
      {"crash_at", to_size(&S::crash_at)},
      {"hang_at", to_size(&S::hang_at)},
      {"allocate", set_allocate},
      {"memory", set_memory},
      {"memory_train", set_memory_train},
      {"real", set_real},
  };
  return all;
}

Result<void> parse_option(std::string_view item, SyntheticSpec& spec) {
  const size_t equals = item.find('=');
  const auto setter = setters().find(item.substr(0, equals));
  if (setter == setters().end() || equals == std::string_view::npos) {
    std::string known;
    for (const auto& [name, unused] : setters()) known += fmt::format(" {}", name);
    return usage(item, fmt::format("is not an option; known:{}", known));
  }
  if (!setter->second(item.substr(equals + 1), spec)) return usage(item, "has a wrong value");
  return {};
}

// What the laws call x.
double size_of_work(const SyntheticSpec& spec, int64_t batch_size, std::optional<int64_t> longest) {
  const auto x = static_cast<double>(batch_size);
  if (!spec.per_token || !longest) return x;
  return x * static_cast<double>(*longest) / static_cast<double>(*spec.per_token);
}

// A logistic curve over log2 of the size, in ln of the factor; its slope in the middle is 1 /
// octaves.
double cache_factor(const CacheStepSpec& cache, double size) {
  if (cache.factor == 1 || size <= 0) return 1;
  const double octaves_off = std::log2(size / cache.size) / cache.octaves;
  return std::exp(std::log(cache.factor) / (1 + std::exp(-4 * octaves_off)));
}

}  // namespace

Result<SyntheticSpec> parse_synthetic(std::string_view text) {
  constexpr std::string_view kPrefix = "synthetic:";
  if (text.substr(0, kPrefix.size()) == kPrefix) text.remove_prefix(kPrefix.size());
  SyntheticSpec spec;
  const auto items = base::split(text, ';');
  if (auto law = parse_law(base::trim(items[0]), spec); !law) return law.error();
  for (size_t i = 1; i < items.size(); ++i) {
    const std::string_view item = base::trim(items[i]);
    if (item.empty()) continue;
    if (auto option = parse_option(item, spec); !option) return option.error();
  }
  if (spec.per_token && spec.law == SyntheticLaw::table) {
    return usage("per_token", "needs a law; a table has no sizes between its entries");
  }
  return spec;
}

int64_t true_memory_bytes(const SyntheticSpec& spec, int64_t batch_size, bool trains,
                          bool checkpoints, std::optional<int64_t> longest) {
  if (!spec.memory) return 0;
  const MemoryLawSpec& law = *spec.memory;
  const auto step = static_cast<double>(law.step);
  const double samples = std::ceil(size_of_work(spec, batch_size, longest) / step) * step;
  const double factor = !trains ? 1 : checkpoints ? law.checkpointed : law.train;
  return law.base_bytes + std::llround(samples * factor * static_cast<double>(law.sample_bytes));
}

Result<double> true_time_ns(const SyntheticSpec& spec, int64_t batch_size,
                            std::optional<int64_t> longest) {
  const double x = size_of_work(spec, batch_size, longest);
  const std::vector<double>& c = spec.coefficients;
  double time = 0;
  switch (spec.law) {
    case SyntheticLaw::affine:
      time = c[0] + c[1] * x;
      break;
    case SyntheticLaw::staircase:
      time = c[0] + c[1] * std::ceil(x / c[2]);
      break;
    case SyntheticLaw::roofline:
      time = std::max({c[0], c[1] + c[2] * x, c[3] * x});
      break;
    case SyntheticLaw::table: {
      const auto entry = spec.table.find(batch_size);
      if (entry == spec.table.end()) {
        return Error{ErrorKind::failed, fmt::format("the table has no batch size {}", batch_size),
                     "synthetic", "add an entry for it"};
      }
      time = entry->second;
    }
  }
  time *= cache_factor(spec.cache, x);
  const auto anomaly = spec.anomalies.find(batch_size);
  return anomaly == spec.anomalies.end() ? time : time * anomaly->second;
}

}  // namespace batchscope::engines
