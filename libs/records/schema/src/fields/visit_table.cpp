#include <algorithm>
#include <array>
#include <numeric>

#include "batchscope/schema/describe.hpp"
#include "batchscope/schema/tables.hpp"

namespace batchscope::schema {
namespace {

// Shares are taken of the padded tokens, and means of the iterations: none may be 0.
void check_tokens(ReadFields& fields, void* of) {
  const Tokens& tokens = *static_cast<const Tokens*>(of);
  if (tokens.real > tokens.padded) fields.fail("real", "is more than padded");
}

// How the times of a series are wrong, if they are. Each is looked at by its logarithm, so none may
// be 0; there are many, and mostly the longest alone tells that they do not add up to too long.
std::string_view wrong_times(const std::vector<int64_t>& times, int64_t of_each) {
  int64_t shortest = kLongestNs, longest = 0;
  for (const int64_t time : times) {
    shortest = std::min(shortest, time);
    longest = std::max(longest, time);
  }
  if (shortest <= 0) return "holds a time that is not positive";
  const auto too_long = [&](double sum) {
    return sum * static_cast<double>(of_each) > static_cast<double>(kLongestNs);
  };
  if (!too_long(static_cast<double>(longest) * static_cast<double>(times.size()))) return "";
  const double sum = std::accumulate(times.begin(), times.end(), 0.0);
  return too_long(sum) ? "adds up to too long" : "";
}

void check_series(ReadFields& fields, std::string_view name, const std::vector<int64_t>& times,
                  int64_t of_each) {
  const std::string_view wrong = wrong_times(times, of_each);
  if (!wrong.empty()) fields.fail(name, wrong);
}

void check_times(ReadFields& fields, const Visit& visit) {
  if (visit.samples_ns.empty()) return fields.fail("samples_ns", "is empty");
  check_series(fields, "samples_ns", visit.samples_ns, visit.iterations_per_sample);
  check_series(fields, "warmup_ns", visit.warmup_ns, 1);
}

// Counts that are to add up to the times they divide among instances.
void check_counts(ReadFields& fields, std::string_view name, const std::vector<int64_t>& counts,
                  int64_t least, std::size_t times) {
  const auto most = static_cast<int64_t>(times);
  const bool sound = std::all_of(counts.begin(), counts.end(),
                                 [&](int64_t count) { return count >= least && count <= most; });
  if (!sound || std::accumulate(counts.begin(), counts.end(), int64_t{0}) != most) {
    fields.fail(name, "does not add up to the times");
  }
}

void check_instances(ReadFields& fields, Visit& visit) {
  if (!fields.has("instance_samples")) return visit.instance_warmups.clear();
  if (!fields.has("instance_warmups")) return fields.fail("instance_warmups", "is missing");
  if (visit.instance_samples.size() != visit.instance_warmups.size()) {
    return fields.fail("instance_warmups", "has another number of instances");
  }
  check_counts(fields, "instance_samples", visit.instance_samples, 1, visit.samples_ns.size());
  check_counts(fields, "instance_warmups", visit.instance_warmups, 0, visit.warmup_ns.size());
}

void check_visit(ReadFields& fields, void* of) {
  Visit& visit = *static_cast<Visit*>(of);
  check_times(fields, visit);
  check_instances(fields, visit);
}

constexpr std::array kVisitFields = {
    field<&Visit::config>(
        "config", {.required = true, .description = "index of a config line", .stated_least = 0}),
    field<&Visit::block>("block", {.required = true, .least = 0, .most = kLargestNumber}),
    field<&Visit::order>(
        "order", {.least = 0, .most = kLargestNumber, .description = "place within the block"}),
    field<&Visit::attempt>(
        "attempt",
        {.least = 0,
         .most = kLargestNumber,
         .description = "above 0 when the block was repeated after an interruption; only the "
                        "latest attempt of a block counts"}),
    field<&Visit::purpose>("purpose"),
    field<&Visit::clock>(
        "clock", {.omit = Omit::empty, .description = "steady, cuda-event, virtual or imported"}),
    field<&Visit::load_ns>("load_ns",
                           {.least = 0,
                            .most = kLongestNs,
                            .description = "start of the process to the model being ready"}),
    field<&Visit::wall_ns>("wall_ns",
                           {.least = 0,
                            .most = kLongestNs,
                            .description = "the full visit, measured by the parent process"}),
    field<&Visit::phases>("phases", {.omit = Omit::empty}),
    field<&Visit::memory>("memory", {.omit = Omit::empty}),
    field<&Visit::usage>("usage", {.omit = Omit::empty}),
    field<&Visit::fitness>("fitness", {.omit = Omit::empty}),
    field<&Visit::tokens>("tokens"),
    field<&Visit::loss>("loss", {.description = "train: the last loss"}),
    field<&Visit::diagnosis>("diagnosis"),
    field<&Visit::collections>(
        "collections", {.description = "models in Python: what the garbage collector did over the "
                                       "timed iterations"}),
    field<&Visit::compilation>(
        "compilation", {.description = "models in Python that are compiled: what that took"}),
    field<&Visit::loader>(
        "loader", {.description = "training over a DataLoader in Python: what the loader did"}),
    field<&Visit::losses>("losses", {.omit = Omit::empty,
                                     .description = "train: the losses of the first steps, warm-up "
                                                    "included, in their order",
                                     .most_values = 16}),
    field<&Visit::skipped_steps>(
        "skipped_steps", {.description = "train in fp16: steps, warm-up included, that changed "
                                         "no weight because a gradient was not finite",
                          .stated_least = 0}),
    field<&Visit::reported_std_ns>("reported_std_ns"),
    field<&Visit::reported_repeats>("reported_repeats"),
    field<&Visit::iterations_per_sample>(
        "iterations_per_sample",
        {.omit = Omit::one,
         .least = 1,
         .description = "how many ran back to back for each sample: sync end; variable-length "
                        "input, where a sample is the mean over one cycle of batches"}),
    field<&Visit::instance_warmups>(
        "instance_warmups", {.when = is_set<&Visit::instance_samples>,
                             .description = "several instances: how many of warmup_ns are from "
                                            "each; warmup_ns lists one instance after the other",
                             .each_least = 0}),
    field<&Visit::instance_samples>("instance_samples",
                                    {.omit = Omit::empty,
                                     .description = "several instances: the same of samples_ns",
                                     .each_least = 1}),
    field<&Visit::warmup_ns>(
        "warmup_ns", {.description = "iterations before those of samples_ns", .each_least = 1}),
    field<&Visit::samples_ns>("samples_ns", {.required = true,
                                             .description = "wall time of one iteration each",
                                             .each_least = 1,
                                             .fewest = 1})};

}  // namespace

template <>
const Table& table_of<Phase>() {
  static constexpr std::array kFields = {
      field<&Phase::name>("name", {.required = true}),
      field<&Phase::host_ns>("host_ns", {.required = true, .least = 0, .most = kLongestNs}),
      field<&Phase::device_ns>("device_ns", {.least = 0, .most = kLongestNs}),
      field<&Phase::count>("count", {.least = 0})};
  static constexpr Table kTable{
      kFields, "Summed over the timed iterations; prepare over the batches prepared."};
  return kTable;
}

template <>
const Table& table_of<Memory>() {
  static constexpr std::array kFields = {
      field<&Memory::peak_rss_bytes>("peak_rss_bytes"),
      field<&Memory::peak_allocated_bytes>("peak_allocated_bytes"),
      field<&Memory::peak_reserved_bytes>("peak_reserved_bytes"),
      field<&Memory::device_allocations>("device_allocations"),
      field<&Memory::peak_iterations_rss_bytes>(
          "peak_iterations_rss_bytes",
          {.description = "as peak_rss_bytes, but from the first iteration on, warm-up included"}),
      field<&Memory::peak_group_bytes>(
          "peak_group_bytes",
          {.description = "charged by the kernel to the worker's memory group under a limit, page "
                          "cache included, over the full life of the process"})};
  static constexpr Table kTable{
      kFields,
      "Peaks over the timed iterations; peak_rss_bytes over the full life of the process."};
  return kTable;
}

template <>
const Table& table_of<Usage>() {
  static constexpr std::array kFields = {
      field<&Usage::minor_faults>("minor_faults"),
      field<&Usage::major_faults>("major_faults"),
      field<&Usage::user_ns>("user_ns"),
      field<&Usage::system_ns>("system_ns"),
      field<&Usage::voluntary_switches>("voluntary_switches"),
      field<&Usage::involuntary_switches>("involuntary_switches"),
      field<&Usage::wait_ns>(
          "wait_ns", {.description = "time ready to run but without a processor, summed over all "
                                     "threads; absent where the kernel does not count it",
                      .stated_least = 0}),
      field<&Usage::wait_max_thread_ns>(
          "wait_max_thread_ns",
          {.description = "the same of the thread that waited longest", .stated_least = 0}),
      field<&Usage::steal_ratio>(
          "steal_ratio", {.description = "share of the time of the processors it may run on that "
                                         "the hypervisor gave to others"})};
  static constexpr Table kTable{
      kFields, "What the operating system charged for the timed iterations, of all instances."};
  return kTable;
}

template <>
const Table& table_of<Fitness>() {
  static constexpr std::array kFields = {
      field<&Fitness::steal_ratio>("steal_ratio"), field<&Fitness::others_load>("others_load"),
      field<&Fitness::throttled_ns>("throttled_ns"), field<&Fitness::clock_ratio>("clock_ratio"),
      field<&Fitness::other_gpu_processes>("other_gpu_processes")};
  static constexpr Table kTable{kFields, "How fit the machine was during the visit."};
  return kTable;
}

template <>
const Table& table_of<Tokens>() {
  static constexpr std::array kFields = {
      field<&Tokens::real>("real", {.always = true, .least = 1, .description = "of the samples"}),
      field<&Tokens::padded>(
          "padded",
          {.always = true,
           .least = 1,
           .description = "computed: for every batch, its size times its longest sample"}),
      field<&Tokens::iterations>(
          "iterations", {.always = true, .least = 1, .description = "batches in the cycle"})};
  static constexpr Table kTable{kFields, "Variable-length input: tokens of one cycle of batches.",
                                check_tokens};
  return kTable;
}

template <>
const Table& table_of<Visit>() {
  static constexpr Table kTable{kVisitFields, "One configuration measured once.", check_visit};
  return kTable;
}

}  // namespace batchscope::schema
