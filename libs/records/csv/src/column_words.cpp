#include "column_words.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "batchscope/base/strings.hpp"
#include "batchscope/base/units.hpp"
#include "timing_lines.hpp"

namespace batchscope::csv {
namespace {

using Words = std::vector<std::string_view>;

template <std::size_t N>
bool has_one_of(const Words& words, const std::array<std::string_view, N>& known) {
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return is_one_of(word, known); });
}

bool has(const Words& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

constexpr std::array<std::string_view, 3> kMemory{"memory", "mem", "vram"};
constexpr std::array<std::string_view, 17> kOfTheBatch{
    "peak", "max",   "maximum",   "gpu",         "device", "cuda", "allocated", "alloc", "used",
    "use",  "usage", "footprint", "consumption", "of",     "the",  "on",        "in"};
// What else is told of a memory, with a unit of its own or none.
constexpr std::array<std::string_view, 31> kOtherMemory{
    "total",    "free",   "limit",    "cpu",     "host",  "ram",         "clock",       "bandwidth",
    "bw",       "util",   "type",     "percent", "pct",   "utilization", "utilisation", "frac",
    "fraction", "budget", "share",    "temp",    "freq",  "temperature", "efficient",   "pinned",
    "format",   "pool",   "reserved", "kind",    "model", "layout",      "cache"};

// Words of what is set, though its unit is one of measurements.
constexpr std::array<std::string_view, 20> kSet{
    "timeout",  "budget", "delay", "window",    "interval", "deadline", "wait",
    "limit",    "cap",    "mode",  "profile",   "target",   "request",  "arrival",
    "learning", "lr",     "max",   "workspace", "pool",     "cache"};
constexpr std::array<std::string_view, 12> kTimesAndRates{
    "latency", "time", "duration", "elapsed", "throughput", "fps",
    "qps",     "ips",  "rps",      "tps",     "runtime",    "speed"};
constexpr std::array<std::string_view, 22> kFigures{
    "mean",  "median", "avg",     "average", "std",        "stddev",      "var",         "variance",
    "cv",    "iqr",    "speedup", "mfu",     "efficiency", "utilization", "utilisation", "util",
    "usage", "tflops", "gflops",  "flops",   "power",      "energy"};
constexpr std::array<std::string_view, 4> kPeriods{"s", "sec", "second", "seconds"};
constexpr std::array<std::string_view, 4> kOtherBytes{"rss", "ram", "allocated", "reserved"};

// "p50", "p99", "p99_9".
bool is_quantile(std::string_view word) {
  return word.size() > 1 && word.front() == 'p' &&
         word.find_first_not_of("0123456789", 1) == std::string_view::npos;
}

bool is_temperature(const Words& words) {
  return (has(words, "temp") || has(words, "temperature")) &&
         (has(words, "c") || has(words, "celsius") || has(words, "gpu"));
}

bool is_rate(const Words& words) {
  const auto per = std::find(words.begin(), words.end(), "per");
  return per != words.end() && per + 1 != words.end() && is_one_of(*(per + 1), kPeriods);
}

}  // namespace

std::string normalised(std::string_view name) {
  std::string out;
  for (const char c : name) {
    if (static_cast<unsigned char>(c) >= 0x80) {
      out += c;
    } else if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    } else if (!out.empty() && out.back() != '_') {
      out += '_';
    }
  }
  while (!out.empty() && out.back() == '_') out.pop_back();
  return out;
}

std::optional<double> bytes_of_unit(std::string_view unit) {
  if (unit == "byte" || unit == "bytes") unit = "b";
  const auto bytes = base::parse_bytes("1" + std::string(unit));
  return bytes ? std::optional(static_cast<double>(*bytes)) : std::nullopt;
}

std::optional<MemoryName> memory_in(std::string_view name) {
  Words words = base::split(name, '_');
  if (!has_one_of(words, kMemory) || has_one_of(words, kOtherMemory)) return std::nullopt;
  MemoryName made;
  const std::string_view last = words.back();
  if (!is_one_of(last, kMemory) && !is_one_of(last, kOfTheBatch)) {
    made.bytes_per_unit = bytes_of_unit(last);
    if (!made.bytes_per_unit) made.unit = last;
    words.pop_back();
  } else if (has(words, "allocated")) {
    made.bytes_per_unit = 1;
  }
  const bool of_batch = std::all_of(words.begin(), words.end(), [](std::string_view word) {
    return is_one_of(word, kMemory) || is_one_of(word, kOfTheBatch);
  });
  return of_batch ? std::optional(std::move(made)) : std::nullopt;
}

bool is_measured(std::string_view name) {
  const Words words = base::split(name, '_');
  if (words.size() == 1 && (name == "min" || name == "max")) return true;
  const bool quantile = std::any_of(words.begin(), words.end(), is_quantile);
  if (quantile || has_one_of(words, kTimesAndRates)) {
    return !has(words, "timeout") && !has(words, "target") && !has(words, "limit");
  }
  if (has_one_of(words, kSet)) return false;
  const bool timed = words.size() > 1 && ns_of_unit(words.back());
  const bool bytes =
      (has_one_of(words, kMemory) || has_one_of(words, kOtherBytes)) && bytes_of_unit(words.back());
  return timed || bytes || has_one_of(words, kFigures) || is_rate(words) || is_temperature(words);
}

bool counts_repeats(std::string_view name) {
  constexpr std::array<std::string_view, 21> kKnown{
      "",      "run",  "runs",      "run_id",     "rep",  "repeat",     "repetition",
      "trial", "seed", "iteration", "iterations", "iter", "round",      "block",
      "index", "id",   "no",        "sample",     "date", "time_stamp", "timestamp"};
  return is_one_of(name, kKnown);
}

}  // namespace batchscope::csv
