#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "batchscope/schema/visit.hpp"

namespace batchscope::findings {

// What disturbs measurements on a machine.
enum class Disturbance { steal, others_load, throttled, gpu_clock, gpu_shared };

// Over what a reading was made; 0: not known.
struct Watched {
  int cpus = 0;  // that were watched
  double seconds = 0;
};

// From where on a reading of the machine says that it is unfit to measure on. The same for what is
// read now (`doctor`) and for what was recorded with visits (`analyze`).
struct FitnessRule {
  Disturbance of = Disturbance::steal;
  std::string_view id;       // steal, others-load, throttled, gpu-clock, gpu-shared
  std::string_view reading;  // what the value is, with its unit
  std::optional<double> (*value)(const schema::Fitness&) = nullptr;
  double limit = 0;
  bool is_least = false;  // unfit below the limit; else above it
  // What two readings of the counters cannot tell from nothing, in the unit of the value.
  double (*resolution)(const Watched&) = nullptr;
  std::string what;                        // "Other processes were busy"
  std::string (*worst)(double) = nullptr;  // "up to 0.900 CPUs"; empty: the value says nothing more
  std::string_view effect;                 // on times; empty: plain from `what`
  std::string_view fix;
};

// All rules, in the order in which they are told.
std::span<const FitnessRule> fitness_rules();
const FitnessRule& fitness_rule(Disturbance of);

// Whether a value breaks the rule, and by more than the counters resolve.
bool is_unfit(const FitnessRule& rule, double value, const Watched& watched = {});

// The section of the reference of findings that tells of the rules.
std::string fitness_markdown();

}  // namespace batchscope::findings
