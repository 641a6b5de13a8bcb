#include <array>

#include "batchscope/schema/describe.hpp"
#include "batchscope/schema/tables.hpp"

// The lines beside header, configurations and visits.

namespace batchscope::schema {

template <>
const Table& table_of<base::Error>() {
  using base::Error;
  static constexpr std::array kFields = {
      field<&Error::kind>("kind", {.required = true}),
      inherited<Error, &Error::what>("what", {.required = true}),
      inherited<Error, &Error::where>("where", {.omit = Omit::empty}),
      inherited<Error, &Error::fix>("fix", {.omit = Omit::empty})};
  static constexpr Table kTable{kFields};
  return kTable;
}

template <>
const Table& table_of<Event>() {
  static constexpr std::array kFields = {
      field<&Event::kind>("kind", {.required = true,
                                   .description = "out-of-memory, crash, timeout, error, warning"}),
      inherited<Event, &Event::what>("message"),
      inherited<Event, &Event::fix>("fix", {.omit = Omit::empty}),
      inherited<Event, &Event::where, &RunPlace::config>("config", {.stated_least = 0}),
      inherited<Event, &Event::where, &RunPlace::block>("block",
                                                        {.least = 0, .most = kLargestNumber}),
      inherited<Event, &Event::where, &RunPlace::attempt>("attempt",
                                                          {.least = 0, .most = kLargestNumber}),
      field<&Event::wall_ns>("wall_ns",
                             {.omit = Omit::empty,
                              .least = 0,
                              .most = kLongestNs,
                              .description = "time that a failed visit took; absent where none "
                                             "failed, and in files of older versions"})};
  static constexpr Table kTable{kFields, "What went wrong or is worth knowing."};
  return kTable;
}

template <>
const Table& table_of<OutputDifference>() {
  static constexpr std::array kFields = {
      field<&OutputDifference::config>("config", {.required = true, .stated_least = 0}),
      field<&OutputDifference::against>(
          "against",
          {.required = true,
           .description = "the configuration of another engine with which the outputs are compared",
           .stated_least = 0}),
      field<&OutputDifference::cosine>(
          "cosine", {.required = true,
                     .description = "cosine similarity of two vectors along the last axis, the "
                                    "lowest of all; padding is left out"}),
      field<&OutputDifference::largest_relative_error>(
          "largest_relative_error",
          {.required = true,
           .description = "the largest absolute difference of two elements, over the largest "
                          "absolute value of the other configuration's output",
           .stated_least = 0}),
      field<&OutputDifference::values>(
          "values", {.required = true, .least = 1, .description = "elements compared"})};
  static constexpr Table kTable{
      kFields,
      "How far apart the first outputs of two engines are on one batch of the same seeded input, "
      "untimed, in a process of its own."};
  return kTable;
}

template <>
const Table& table_of<Probe>() {
  static constexpr std::array kFields = {
      field<&Probe::config>(
          "config",
          {.required = true, .description = "whose batch size is ignored", .stated_least = 0}),
      field<&Probe::batch_size>("batch_size", {.required = true, .least = 1, .most = kLargestSize}),
      field<&Probe::purpose>(
          "purpose", {.required = true,
                      .description = "search: does it fit; confirm: does it fit again; soak: does "
                                     "it fit for long; need: what it takes without the limit; "
                                     "ceiling: it died in an earlier run, and is not tried"}),
      field<&Probe::limit_bytes>(
          "limit_bytes",
          {.least = 0, .description = "that was enforced; 0: none, as on an accelerator"}),
      field<&Probe::boot_id>("boot_id",
                             {.omit = Omit::empty, .description = "of this boot of the machine"}),
      field<&Probe::oom_kills>(
          "oom_kills",
          {.description =
               "processes that the kernel's OOM killer had ended before this one started"}),
      field<&Probe::outcome>(
          "outcome",
          {.omit = Omit::empty,
           .description =
               "fits, out-of-memory, failed, interrupted, believed-out-of-memory (not observed: "
               "the search was killed meanwhile, and the kernel's OOM killer had acted or the "
               "machine was restarted); absent: the process is about to start"}),
      field<&Probe::message>("message", {.omit = Omit::empty}),
      field<&Probe::peak_bytes>("peak_bytes", {.description = "over the full life of the process"}),
      field<&Probe::peak_of>("peak_of",
                             {.omit = Omit::empty,
                              .description = "group: what the kernel charges to the memory group; "
                                             "resident: the process; allocated: the accelerator's "
                                             "allocator"}),
      field<&Probe::reserved_bytes>("reserved_bytes",
                                    {.description = "accelerator: taken from the device"}),
      field<&Probe::iterations>("iterations", {.omit = Omit::empty,
                                               .least = 0,
                                               .most = kLargestNumber,
                                               .description = "made, warm-up included"}),
      field<&Probe::iteration_ns>("iteration_ns", {.omit = Omit::empty,
                                                   .least = 0,
                                                   .most = kLongestNs,
                                                   .description = "the median of the timed ones"}),
      field<&Probe::wall_ns>("wall_ns", {.omit = Omit::empty, .least = 0, .most = kLongestNs})};
  static constexpr Table kTable{
      kFields,
      "One try of a batch size by the search for the largest one, before its process is started "
      "and again after it."};
  return kTable;
}

template <>
const Table& table_of<End>() {
  static constexpr std::array kFields = {
      field<&End::reason>("reason", {.required = true}),
      field<&End::wall_s>("wall_s", {.least = 0, .most = kMostSeconds}),
      field<&End::iteration_s>(
          "iteration_s",
          {.least = 0,
           .most = kMostSeconds,
           .description = "the part of wall_s inside model iterations, timed or warm-up"})};
  static constexpr Table kTable{kFields, "The run ended by itself."};
  return kTable;
}

}  // namespace batchscope::schema
