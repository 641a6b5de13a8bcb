#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "batchscope/findings/finding.hpp"
#include "batchscope/schema/run_config.hpp"

namespace batchscope::findings {

struct TrendRun {
  std::string label;    // a commit, or the name of the file
  std::string created;  // UTC, ISO 8601
  std::string machine;
};

// The typical time of one configuration in one run.
struct TrendPoint {
  std::size_t run = 0;  // in Trend::runs
  double ms = 0;
};

// From one run on a configuration takes another time.
struct TrendChange {
  std::size_t run = 0;  // the first of the new level; most likely
  // It is one of these, ends included, at Trend::level.
  std::size_t earliest = 0, latest = 0;
  Estimate ratio;       // time after / time before, up to the changes next to it
  std::string message;  // one sentence
};

// A time that holds from one change to the next.
struct TrendLevel {
  std::size_t first_run = 0, last_run = 0;
  double ms = 0;
};

// One configuration on one machine.
struct TrendSeries {
  schema::RunConfig config;
  std::string label;    // "batch 4, bf16"
  std::string machine;  // empty: all runs are of one
  std::vector<TrendPoint> points;
  std::vector<TrendLevel> levels;
  std::vector<TrendChange> changes;
  // The largest difference between earlier and later runs that may as well have come little by
  // little: neighbouring runs resemble each other.
  std::optional<TrendChange> drift;
  // A step of this size (0.03 = 3 %) in the middle is found in at least four of five such series;
  // absent with too few runs.
  std::optional<double> detectable;
};

// How the times of configurations went over runs.
struct Trend {
  std::vector<TrendRun> runs;  // in the order of their making
  std::vector<TrendSeries> series;
  double level = 0.95;  // 1 - level: the chance of any change that is none, over all series
  std::string message;  // the answer, one sentence
  std::vector<std::string> warnings;
};

}  // namespace batchscope::findings
