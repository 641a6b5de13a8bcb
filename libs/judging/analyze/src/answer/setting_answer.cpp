#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "advice/bounds.hpp"
#include "advice/longer_visits.hpp"
#include "advice/recommendation_words.hpp"
#include "answer.hpp"
#include "batchscope/base/counted.hpp"
#include "batchscope/base/strings.hpp"
#include "batchscope/base/units.hpp"
#include "batchscope/findings/by_group.hpp"
#include "batchscope/findings/wording.hpp"
#include "batchscope/tables/axes.hpp"
#include "batchscope/timing/evidence.hpp"

namespace batchscope::analyze {
namespace {

using findings::Answer;
using findings::Confidence;
using findings::Recommendation;

constexpr std::size_t kMostWorks = 3;
constexpr const char* kOneVisit = "one visit is not enough";

std::size_t sizes_measured(const Recommendation& pick, const findings::Summary& summary) {
  std::size_t count = 0;
  for (const findings::Group& group : summary.groups) {
    if (tables::is_same_work(group.key, pick.config)) count += group.rows.size();
  }
  return count;
}

bool is_memory_bounded(const Recommendation& pick) {
  return pick.objective.find("memory") != std::string::npos;
}

// What comes nearest to bounds that nothing keeps.
std::string nearest_words(const Recommendation& pick, const Question& question) {
  if (const std::string unknown = what_is_unknown(pick); !unknown.empty()) return unknown;
  std::string text = fmt::format("nearest: {} at {} per batch",
                                 setting_words(pick.config, question.summary.groups),
                                 findings::milliseconds(pick.latency_ms));
  const findings::ConfigRow* const row = row_of(pick.config, question.summary);
  const auto memory = row == nullptr ? std::nullopt : memory_of(*row);
  return is_memory_bounded(pick) && memory ? text + " and " + base::format_bytes(*memory) : text;
}

// Of what keeps a bound on memory: how much it takes, and what the bound left out.
std::string memory_words(const Recommendation& pick, const Question& question) {
  if (!is_memory_bounded(pick)) return "";
  const findings::ConfigRow* const row = row_of(pick.config, question.summary);
  const auto memory = row == nullptr ? std::nullopt : memory_of(*row);
  const std::string over =
      which_left_out(pick, findings::LeftOutReason::memory, question.summary.groups);
  std::string text;
  if (memory) text = fmt::format("; peak memory {}", base::format_bytes(*memory));
  if (!over.empty()) text += fmt::format("; excluded, above the limit: {}", over);
  return text;
}

// "latency <= 200 ms": the bounds of an objective.
std::string bounds_words(const Recommendation& pick) {
  const std::size_t with = pick.objective.find(" with ");
  return with == std::string::npos ? "its bounds" : pick.objective.substr(with + 6);
}

// What else than throughput it is the best for.
const char* lead_of(const std::string& objective) {
  if (objective.starts_with("latency")) return "For the lowest latency, use ";
  return objective.starts_with("cost") ? "For the lowest cost, use " : "Use ";
}

std::string lead(const std::string& work, const char* words) {
  return work.empty() ? words : work + base::uncapitalised(words);
}

std::string headline_of(const Recommendation& pick, const Question& question) {
  const auto& groups = question.summary.groups;
  const std::string work = for_work(pick.config, groups);
  if (!what_is_unknown(pick).empty()) {
    return lead(work, "Cannot tell whether anything meets ") + bounds_words(pick);
  }
  if (!pick.feasible) {
    return lead(work, "Nothing measured meets ") + bounds_words(pick);
  }
  if (confidence_of(pick) == Confidence::cannot_tell) {
    return lead(work, "Cannot tell which ") + choice_words(pick.config, groups) + " is best";
  }
  return lead(work, lead_of(pick.objective)) + setting_words(pick.config, groups);
}

int visits_of(const Recommendation& pick, const Question& question) {
  const findings::ConfigRow* const row = row_of(pick.config, question.summary);
  return row == nullptr ? 0 : row->n;
}

// "12", or "6 to 12" where the sizes of its work have different numbers of visits.
std::string visits_of_each(const Recommendation& pick, const Question& question) {
  int least = visits_of(pick, question), most = least;
  for (const findings::Group& group : question.summary.groups) {
    if (!tables::is_same_work(group.key, pick.config)) continue;
    for (const findings::ConfigRow& row : group.rows) {
      least = std::min(least, row.n);
      most = std::max(most, row.n);
    }
  }
  return least == most ? fmt::format("{}", most) : fmt::format("{} to {}", least, most);
}

// Whether a bound on the typical latency is the only one, and fresh visits keep it.
bool keeps_latency(const Recommendation& pick, const Question& question) {
  const schema::Header& header = question.header();
  const auto& budget_s = header.plan.latency_budget_s;
  const bool typical = bounded_latency(header) == schema::LatencyStatistic::p50;
  if (!budget_s || header.plan.memory_limit_bytes || !typical) return false;
  const auto fresh = fresh_latency_of(pick.config, question);
  return fresh && fresh->typical_ms.ci && fresh->typical_ms.ci->high <= 1000 * *budget_s;
}

// Whether fresh visits have something to hold it against: a gain, or a bound on latency.
bool can_be_verified(const Recommendation& pick) {
  const std::string& objective = pick.objective;
  return pick.gain || (objective.find("latency") != std::string::npos &&
                       objective.find("<=") != std::string::npos);
}

// A search took the best of what its own visits showed; fresh ones may have begun to verify it.
std::string few_fresh_words(const Recommendation& pick, const Question& question) {
  int fresh = 0;
  for (const tables::RunView& view : question.views) {
    fresh +=
        static_cast<int>(tables::visits_of(view, pick.config, timing::Use::fresh).visits.size());
  }
  if (fresh == 0 || fresh >= timing::kPairsToProve) {
    return "only in the visits used to choose it";
  }
  return fmt::format("{}, but verifying needs {}", base::counted(fresh, "separate visit"),
                     timing::kPairsToProve);
}

std::string why_nothing_is_shown(const Recommendation& pick, const Question& question) {
  const auto& origin = question.header().origin;
  if (origin == schema::Origin::imported) {
    return "imported numbers have no repeats in fresh processes";
  }
  if (!question.is_repeated()) {
    return "all sizes ran in one process and affect each other";
  }
  const int visits = visits_of(pick, question);
  if (visits < 2) return kOneVisit;
  if (origin != schema::Origin::tune && visits < static_cast<int>(timing::kPairsToProve)) {
    return fmt::format("{}, but a proof needs {}", base::counted(visits, "visit"),
                       timing::kPairsToProve);
  }
  if (origin == schema::Origin::tune) return few_fresh_words(pick, question);
  return "others may be as good; not yet verified in separate visits";
}

std::string why_open(const Recommendation& pick, const Question& question) {
  if (pick.withdrawn) {
    return fmt::format("the best measured was not confirmed in {}",
                       base::counted(pick.fresh_visits, "separate visit"));
  }
  if (pick.visit_s_needed) {
    return "the visits are too short: they may include warm-up, or too few slow iterations";
  }
  if (question.is_repeated() && visits_of(pick, question) < 2) return kOneVisit;
  if (!pick.open_gain) return "no significant difference";
  const findings::Estimate& gain = *pick.open_gain;
  const std::string size = findings::percent(gain.value);  // with the sign of its interval
  if (!gain.ci) return fmt::format("the largest difference is {}, without a CI", size);
  return fmt::format("no significant difference: the largest seen is {} ({:.4g} % CI {})", size,
                     100 * pick.gain_level, findings::percent_range(*gain.ci));
}

std::string sure_of(const Recommendation& pick, const Question& question) {
  switch (confidence_of(pick)) {
    case Confidence::cannot_tell:
      return why_open(pick, question);
    case Confidence::verified:
      return fmt::format("in {} not used to choose it",
                         base::counted(pick.fresh_visits, "separate visit"));
    case Confidence::suspected:
      return why_nothing_is_shown(pick, question);
    case Confidence::shown:
      break;
  }
  if (pick.gain && pick.fresh_visits > 0) {
    const bool bounded = pick.objective.find(" with ") != std::string::npos;
    return fmt::format(
        "the gain, in {} of each{}", base::counted(pick.fresh_visits, "separate visit"),
        bounded && !keeps_latency(pick, question) ? "; its bounds are not verified" : "");
  }
  const char* const what = pick.gain ? "" : "no other size is better by a relevant margin, ";
  return fmt::format("{}in {} visits per size{}", what, visits_of_each(pick, question),
                     can_be_verified(pick) ? "; not yet verified in separate visits" : "");
}

// Fresh visits were made, and told nothing of its gain: they may still hold warm-up.
bool fresh_visits_were_inconclusive(const Recommendation& pick, const Question& question) {
  const auto& visits = question.views.front().run->visits;
  const auto made = std::count_if(visits.begin(), visits.end(), [](const schema::Visit& visit) {
    return visit.purpose == schema::Purpose::verify;
  });
  return !pick.gain && made >= 2 * timing::kPairsToProve;
}

NextStep next_for_open(const Recommendation& pick, const Question& question) {
  if (const auto most = alike_within(pick)) {
    return {fmt::format("The difference is at most {}: use either.", findings::percent(*most))};
  }
  if (pick.visit_s_needed) return measure_longer(question, *pick.visit_s_needed);
  if (!pick.withdrawn) return measure_more(question, pick.blocks_needed);
  return {"Measure more before you change anything.",
          measure_more(question, 2 * std::max(visits_of(pick, question), 6)).command};
}

NextStep next_for(const Recommendation& pick, const Question& question) {
  const Confidence confidence = confidence_of(pick);
  if (auto step = go_on(question)) return *std::move(step);
  if (!what_is_unknown(pick).empty()) {
    if (!is_memory_bounded(pick)) return measure_more(question, pick.blocks_needed);
    return {
        "Measure it again on Linux, where batchscope records peak memory, or drop --memory-limit."};
  }
  if (!pick.feasible)
    return {"Relax the bound, or measure smaller sizes, another precision or other threads."};
  if (confidence == Confidence::cannot_tell) return next_for_open(pick, question);
  if (confidence == Confidence::suspected && fresh_visits_were_inconclusive(pick, question)) {
    return measure_longer(question, longer_visit_s(question.views.front()));
  }
  if (confidence == Confidence::suspected) {
    return measure_more(question, 2 * std::max(visits_of(pick, question), 6));
  }
  if (!pick.larger_sizes.empty()) {
    return {fmt::format("Throughput still grows: measure {} too.",
                        findings::batches(pick.larger_sizes)),
            measure_sizes(question, pick.larger_sizes)};
  }
  if (confidence == Confidence::shown && can_be_verified(pick)) {
    const std::string verify = verify_again(question);
    if (!verify.empty()) return {"Verify it in separate visits.", verify};
  }
  return show_it(question);
}

// Fresh visits have their own.
bool is_of_the_table(const Recommendation& pick, const findings::ConfigRow& row) {
  constexpr double kSame = 1e-6;
  const double of_row = row.throughput_per_s.value;
  return std::abs(of_row - pick.throughput_per_s) <= kSame * of_row;
}

void put_figures(const Recommendation& pick, const Question& question, Answer& answer) {
  const findings::ConfigRow* const row = row_of(pick.config, question.summary);
  if (row != nullptr && is_of_the_table(pick, *row)) {
    answer.throughput_per_s = row->throughput_per_s;
    answer.latency = latency_of(*row);
    return;
  }
  answer.throughput_per_s = findings::Estimate{pick.throughput_per_s, std::nullopt};
  answer.latency = fresh_latency_of(pick.config, question);
  if (!answer.latency && row != nullptr) answer.latency = latency_of(*row);
}

Answer answer_for(const Recommendation& pick, const Question& question) {
  Answer answer;
  answer.kind = findings::AnswerKind::setting;
  answer.confidence = confidence_of(pick);
  answer.headline = headline_of(pick, question);
  const bool named = pick.feasible && answer.confidence != Confidence::cannot_tell;
  if (named) {
    answer.setting = setting_words(pick.config, question.summary.groups);
    answer.config = pick.config;
    put_figures(pick, question, answer);
    answer.gain = pick.gain;
    answer.gain_level = pick.gain_level;
    if (pick.baseline) answer.against = baseline_words(pick);
  }
  answer.sure = pick.feasible ? sure_of(pick, question) : nearest_words(pick, question);
  if (named && !pick.larger_sizes.empty()) {
    answer.sure += fmt::format("; throughput still grows at batch {}, the largest measured",
                               pick.config.shape.batch_size);
  }
  if (!pick.cut_short.empty()) answer.sure += "; " + pick.cut_short;
  if (named) answer.sure += memory_words(pick, question);
  set_next(next_for(pick, question), answer);
  return answer;
}

NextStep other_sizes(const Question& question, const std::vector<int64_t>& sizes) {
  const std::set<int64_t> failed = sizes_that_failed(question.views.front());
  const auto& configs = question.views.front().run->configs;
  const bool all = std::all_of(sizes.begin(), sizes.end(), [&](int64_t size) {
    return failed.count(size) > 0 ||
           std::any_of(configs.begin(), configs.end(),
                       [&](const auto& each) { return each.shape.batch_size == size; });
  });
  if (!all) return {"Measure other sizes too.", measure_sizes(question, sizes)};
  return {fmt::format("No other size is available: {} failed.",
                      findings::batches(std::vector(failed.begin(), failed.end())))};
}

// One configuration has nothing to be better than.
Answer only_one(const Recommendation& pick, const Question& question) {
  Answer answer;
  put_figures(pick, question, answer);
  answer.headline =
      lead(for_work(pick.config, question.summary.groups), "The run has only one size, ") +
      setting_words(pick.config, question.summary.groups);
  answer.sure = "there is no other size to compare";
  const int64_t size = pick.config.shape.batch_size;
  std::vector<int64_t> sizes;
  for (int64_t other = 1; other <= 2 * size; other *= 2) sizes.push_back(other);
  const auto unfinished = go_on(question);
  set_next(unfinished ? *unfinished : other_sizes(question, sizes), answer);
  if (!pick.cut_short.empty()) answer.sure += "; " + pick.cut_short;
  return answer;
}

// Several works have an answer each; the figures are of the first that has one.
void tell_all(const Question& question, const Recommendation* lead_pick, Answer& answer) {
  const auto& picks = question.summary.recommendations;
  if (picks.size() < 2) return;
  std::vector<std::string> parts;
  bool open = false;
  for (const Recommendation& pick : picks) {
    const Confidence confidence = confidence_of(pick);
    open |= confidence == Confidence::cannot_tell;
    if (answer.confidence != Confidence::cannot_tell) {
      answer.confidence =
          std::max(answer.confidence,
                   confidence == Confidence::cannot_tell ? Confidence::suspected : confidence);
    }
    if (parts.size() < kMostWorks) parts.push_back(headline_of(pick, question));
  }
  if (open && lead_pick != nullptr && answer.confidence != Confidence::cannot_tell) {
    answer.sure = "the best setting is unclear for some";
  }
  const std::size_t more = picks.size() - parts.size();
  answer.headline =
      base::join(parts, ". ") + (more > 0 ? fmt::format(". {} more below", more) : "");
  answer.several = true;
}

}  // namespace

Confidence confidence_of(const Recommendation& pick) {
  if (pick.undecided || pick.withdrawn || !what_is_unknown(pick).empty())
    return Confidence::cannot_tell;
  if (!pick.feasible) return Confidence::suspected;  // that nothing keeps the bounds is no proof
  if (pick.verified) return Confidence::verified;
  if (pick.support == findings::Support::open) return Confidence::cannot_tell;
  return pick.support == findings::Support::shown ? Confidence::shown : Confidence::suspected;
}

Answer setting_answer(const Question& question) {
  const auto& picks = question.summary.recommendations;
  const auto reported = std::find_if(picks.begin(), picks.end(), [](const Recommendation& pick) {
    return confidence_of(pick) != Confidence::cannot_tell && pick.feasible;
  });
  const Recommendation& first = reported == picks.end() ? picks.front() : *reported;
  const bool alone =
      sizes_measured(first, question.summary) < 2 && first.feasible && !first.verified;
  Answer answer = alone ? only_one(first, question) : answer_for(first, question);
  tell_all(question, &first, answer);
  return answer;
}

}  // namespace batchscope::analyze
