#include <fmt/format.h>

#include "batchscope/base/strings.hpp"
#include "batchscope/findings/answer.hpp"
#include "batchscope/findings/floors.hpp"
#include "batchscope/findings/numbers.hpp"
#include "batchscope/findings/wording.hpp"

namespace batchscope::findings {
namespace {

constexpr std::size_t kMostLines = 6;
constexpr double kOfTables = 0.95;  // the level of a table's intervals

// Marked where there are too few samples to be reliable.
std::string quantile_words(const char* name, const Estimate& quantile) {
  return fmt::format("{} {}{} ms", name, quantile.ci ? "" : "~", three_digits(quantile.value));
}

// Where it is not what the throughput is made of.
std::string mean_words(const AnsweredLatency& latency) {
  if (!is_mean_worth_showing(latency.mean_ms, latency.typical_ms.value)) return "";
  return fmt::format(" (mean {} ms: some are much {})", three_digits(latency.mean_ms),
                     latency.mean_ms > latency.typical_ms.value ? "longer" : "shorter");
}

std::string latency_line(const AnsweredLatency& latency) {
  const bool each = latency.of == "batch" || latency.of == "step";
  const bool supported = latency.p95_ms.ci && latency.p99_ms.ci;
  const std::string typical =
      fmt::format("Latency: {} ms per {}{}", by_interval(latency.typical_ms),
                  latency.of == "step" ? "step" : "batch", mean_words(latency));
  if (!latency.has_quantiles()) return typical + ", p95 and p99 not recorded.";
  return fmt::format("{}, {}, {}{}{}.", typical, quantile_words("p95", latency.p95_ms),
                     quantile_words("p99", latency.p99_ms),
                     each ? "" : fmt::format(" of {}", latency.of),
                     supported ? "" : " (~: too few samples to be reliable)");
}

std::string figures(const Answer& answer) {
  if (answer.several) return "";
  std::string text;
  if (answer.throughput_per_s) {
    text += fmt::format(": {} samples/s", by_interval(*answer.throughput_per_s));
  }
  if (answer.kind != AnswerKind::setting || !answer.gain) return text;
  const Estimate& gain = *answer.gain;
  text += fmt::format("{}{} {} {}", text.empty() ? ": " : ", ", more_or_less(gain.value),
                      gain.value >= 1 ? "as" : "than", answer.against);
  if (gain.ci)
    text += fmt::format(" ({:.4g} % CI {}{})", 100 * answer.gain_level,
                        more_or_less_range(gain.value, *gain.ci),
                        answer.gain_level > kOfTables ? ", corrected for several sizes" : "");
  return text;
}

std::string sure_line(const Answer& answer) {
  switch (answer.confidence) {
    case Confidence::verified:
      return "Verified: " + answer.sure + ".";
    case Confidence::shown:
      return "Significant: " + answer.sure + ".";
    case Confidence::suspected:
      if (answer.setting.empty()) break;  // what comes nearest to bounds, and is not to be set
      return "Not proven: " + answer.sure + ".";
    case Confidence::cannot_tell:
      break;
  }
  return base::capitalised(answer.sure) + ".";
}

}  // namespace

void put_lines(Answer& answer) {
  answer.lines = {answer.headline + figures(answer) + "."};
  // Of several works it would be the first one's alone.
  if (answer.latency && !answer.several) answer.lines.push_back(latency_line(*answer.latency));
  if (!answer.sure.empty()) answer.lines.push_back(sure_line(answer));
  if (!answer.machine.empty()) answer.lines.push_back("Machine: " + answer.machine + ".");
  const std::size_t to_come = answer.next.empty() ? 0 : answer.command.empty() ? 1 : 2;
  if (!answer.slow.empty() && answer.lines.size() + to_come < kMostLines) {
    answer.lines.push_back("Proven slow: " + answer.slow + ".");
  }
  if (answer.next.empty()) return;
  std::string next = "Next: " + answer.next;
  if (!answer.command.empty() && next.back() == '.') next.back() = ':';
  answer.lines.push_back(std::move(next));
  if (!answer.command.empty()) answer.lines.push_back("  " + answer.command);
}

}  // namespace batchscope::findings
