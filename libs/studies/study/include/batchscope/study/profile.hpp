#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "batchscope/base/result.hpp"
#include "batchscope/findings/summary.hpp"
#include "batchscope/measure/observer.hpp"
#include "batchscope/ranges/profiler.hpp"
#include "batchscope/schema/run_file.hpp"

namespace batchscope::study {

// One iteration of a user's own: works on `batch_size` samples and returns when all of it is done,
// on a device too. Ranges that it opens on the thread that called it, and inside no other range,
// become the phases of the iteration; they must have ended when it returns (those of begin() are
// ended then). Of others only the time counts. Throwing is a failure of this batch size, and
// std::bad_alloc, or a library's words for it, says that memory was out. It is always called from
// the same thread.
using Iteration = std::function<void(int64_t batch_size, ranges::Profiler& profiler)>;

struct ProfileOptions {
  std::string name = "callable";  // in tables and in the run file
  std::string description{};      // what it does, for the report
  // Makes the input for iterations of this batch size. Called twice before each visit, of which the
  // first call also pays for fresh memory; its time is kept apart from the iterations'. May throw.
  std::function<void(int64_t batch_size)> prepare{};

  // How it runs: recorded and compared by, not set. It is up to the callable.
  std::optional<int64_t> seq_len{};  // tokens
  std::string device = "cpu";        // "cuda:0": the fitness of that GPU is recorded too
  int threads = 1;
  schema::Precision precision = schema::Precision::fp32;
  // For device times of the phases; outlives the call. Reading them is part of the iteration.
  ranges::DeviceClock* device_clock = nullptr;

  // What is measured, and how.
  std::optional<int> blocks{};       // exactly so many; absent: 12, then more until the target
  std::optional<int> iterations{};   // timed iterations a visit; absent: by time
  std::optional<int> warmup{};       // iterations; absent: until they are steady
  double min_visit_s = 0.25;         // that a visit is timed
  double target = 0.02;              // half-width of every contrast's interval, in ln units
  std::optional<double> budget_s{};  // wall time; absent: what the pilot takes, at most 600 s
  std::optional<uint64_t> seed{};    // of the order; absent: drawn
  std::optional<double> latency_budget_s{};
  std::optional<int64_t> current_batch_size{};

  std::filesystem::path output{};  // the run file; empty: none is written
  bool overwrite = false;
  std::vector<std::string> command_line{};  // that starts this program, for the report
  measure::Observer* observer = nullptr;    // outlives the call
  std::stop_token stop{};                   // ends the run after the visit that is being made
};

// A run and what is to be said of it: of `run`, analyze() and the program make the same.
struct Profiled {
  schema::RunFile run;
  findings::Summary summary;
};

// Measures a function of the user's like a built-in model: every batch size once a block, in random
// order, with the same warm-up, intervals and run file, but in the calling process ("isolation
// none"). What one batch size leaves behind (a heap, caches, a trained allocator) meets the next
// there, so that nothing is called proven, and a crash ends everything. A failure is an
// event of the run, and a batch size that failed twice is left out from then on. Errors: usage (no
// batch size, or one that is not from 1 to schema::kLargestSize or is named twice; an output that
// exists; a value out of range), failed (not one batch size could be measured; the output cannot be
// written).
base::Result<Profiled> profile(const Iteration& iteration, std::span<const int64_t> batch_sizes,
                               const ProfileOptions& options = {});

}  // namespace batchscope::study
