#pragma once

#include <optional>
#include <string>
#include <vector>

#include "batchscope/base/result.hpp"
#include "batchscope/findings/finding.hpp"
#include "batchscope/findings/floors.hpp"
#include "batchscope/findings/recommendation.hpp"
#include "batchscope/findings/tuning.hpp"
#include "batchscope/measure/session.hpp"
#include "batchscope/tune/outcome.hpp"

// Read first: tune() measures and writes the run file; tuned_of() tells what that file came to.
namespace batchscope::tune {

// How a tuning run spends its time. The run's plan holds the rest: budget, limits, visits.
struct TunePlan {
  Goal goal{};
  SearchOptions search{};
};

// Hears of every visit before it is made; may be null.
class TuneObserver {
 public:
  virtual ~TuneObserver() = default;
  virtual void on_ask(const Suggestion& ask, const schema::RunConfig& config,
                      const Search& search) = 0;
  virtual void on_verify(const std::vector<schema::RunConfig>& configs) = 0;
};

// The search as the visits of a run file leave it: its grid are the configurations that the file
// begins with. Visits of other purposes than `measure` take no part.
Search search_of(const schema::RunFile& run, const TunePlan& plan);

// A whole tuning run: search, then the pick, the runner-up and the default measured beside each
// other in fresh visits that take no part in choosing, then the end record. The default is the
// first setting of the grid with the current batch size of the run's plan, else its smallest.
// A resumed session goes on where the file ends, with its budget once more where that ended it.
// Errors: the session's.
base::Result<schema::End> tune(measure::Session& session, const TunePlan& plan,
                               TuneObserver* observer = nullptr);

// Index into the grid; see tune().
std::size_t default_point(const std::vector<schema::RunConfig>& grid,
                          std::optional<int64_t> current_batch_size);

// What a FreshContrast with the default is against.
inline constexpr const char* kTheDefault = "the default";

// All that a tuning run came to; of the run file alone.
struct Tuned {
  SearchOutcome outcome;
  schema::OpenEnum<schema::EndReason> end_reason{};  // empty: the run has no end
  std::string cut_short;  // what ended the search before it was over; empty: it was over
  // What is to be used, into the grid: what the search found, or the default where that is not
  // shown to be better by what matters. Absent: nothing could be measured.
  std::optional<std::size_t> chosen;
  std::string message;                 // what to use; or which bound binds, and by how much
  std::optional<Figures> fresh;        // of `chosen`; absent: it has no fresh visits
  bool undecided = false;              // the default stays because the two cannot be told apart
  std::optional<int> visits_needed{};  // of each, which would tell; absent: more than anybody makes
  std::vector<findings::FreshContrast> contrasts;
  std::size_t standard = 0;                       // the default, into the grid
  std::optional<findings::LatencyCheck> latency;  // where the goal has a budget
  // Better than the default in fresh visits; where it is the default, or that keeps no bounds or
  // may not be chosen, not beaten in fresh visits; where the default stays, shown to be worse by
  // less than what matters; with a latency budget that it is shown to keep. Never of a search that
  // was cut short: what it left out may be better.
  bool verified = false;
  // Fresh visits show the default or the runner-up to be better by more than a tie gives away, or
  // the latency to be over its budget. A default that may not be chosen shows nothing.
  bool withdrawn = false;
  // Of the setting chosen, ascending: by the estimates of the search, which prove nothing, at most
  // 3 % slower than the cheapest split into the other sizes measured.
  std::vector<int64_t> good_sizes;
  std::string verdict;                // what fresh visits say
  std::vector<std::string> advice;    // what else the pick asks for, a sentence each
  std::vector<std::string> warnings;  // what speaks against believing it
};

Tuned tuned_of(const schema::RunFile& run, const TunePlan& plan);

// The same of a search on a table, where there are no fresh visits: its own estimates decide
// between what it found and the default, and nothing is verified.
Tuned tuned_of(const Search& search, std::optional<int64_t> current_batch_size, double practical);

// The same, as it is printed and drawn.
findings::Tuning tuning_of(const Tuned& tuned);
// And as an analysis of the run has it, instead of its own recommendation; absent where nothing
// could be measured.
std::optional<findings::Recommendation> recommendation_of(const findings::Tuning& tuning);

// A tuning run keeps its goal in its header, so that a resumed one has the same.
void write_goal(const TunePlan& plan, schema::Header& header);
// Errors: input (the header is not that of a tuning run).
base::Result<TunePlan> read_goal(const schema::Header& header);

}  // namespace batchscope::tune
