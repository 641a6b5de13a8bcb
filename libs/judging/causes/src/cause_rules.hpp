#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "batchscope/findings/diagnosis_part.hpp"
#include "size_facts.hpp"

namespace batchscope::causes {

using findings::DiagnosisPart;

// What speaks for a cause at one batch size.
struct Signal {
  double strength = 0;  // about how much of an iteration it may account for, 0 to 1; 0: not there
  std::string words;    // "30000 page faults and 80 ms of system time an iteration"
  std::vector<findings::Evidence> evidence;
  // Nothing speaks for it but that it could be: worth an experiment where there is nothing better
  // to try.
  bool guess = false;
};

enum class Judged {
  by_time,           // the intervention takes the cause away and costs nothing else
  beyond_neighbour,  // it costs all sizes something: what counts is what it saves beyond there
  // It takes away more than the cause: the same, but by time where no size has less of the signal.
  beyond_any_neighbour,
};

// On what a cause can be. A table that does not state its device has those of any alone.
enum class Where { any, cpu, accelerator };

inline constexpr findings::Metric kMinorFaultsWithout{
    "minor_faults_without", "Page faults that need no disk access, with the intervention.",
    "an iteration", "page faults without the cause"};
inline constexpr Prose kCauseSeverity(
    "thresholds as for an excess, for the time without the fix divided by the time with the fix; "
    "info unless confirmed");

// One cause: the signal that raises it, and the experiment that takes it away.
struct CauseRule {
  Row kind;
  std::string_view words;  // "the C library gives memory back ..."
  DiagnosisPart part = DiagnosisPart::kernels;
  Where where = Where::any;
  Signal (*signal)(const TableFacts&, std::size_t at) = nullptr;
  // The same work without the cause; nothing where there is no such experiment. Then the cause is
  // never more than suspected.
  std::optional<schema::RunConfig> (*without)(const schema::RunConfig&) = nullptr;
  std::string_view experiment = {};  // "with a malloc that keeps its memory"
  // What to do about it where that is not the environment of `without`.
  std::string_view advice = {};
  Judged judged = Judged::by_time;
  // The same on an accelerator that is not CUDA's, where that has to be another.
  std::string_view advice_beside_cuda = {};
  // It strikes few iterations, and these hard: judged by the mean iteration, not by the typical
  // one.
  bool by_mean = false;
};

// In the order in which they are tried where their signals are equally strong.
std::span<const CauseRule> cause_rules();

std::span<const CauseRule> input_rules();        // of what the batches are made of
std::span<const CauseRule> memory_rules();       // of the host
std::span<const CauseRule> kernel_rules();       // of the processor's libraries
std::span<const CauseRule> processor_rules();    // of its cores, caches and clock
std::span<const CauseRule> interpreter_rules();  // of what runs a model's own language
std::span<const CauseRule> device_rules();       // of an accelerator, from what was recorded of it

// The configuration with these variables set as well.
schema::RunConfig under(schema::RunConfig config,
                        const std::map<std::string, std::string>& environment);

// Without AVX-512, whichever library would use it.
std::optional<schema::RunConfig> with_older_instructions(const schema::RunConfig& config);

// "export NAME=value", what a user pastes.
std::string export_line(const std::map<std::string, std::string>& environment);

}  // namespace batchscope::causes
