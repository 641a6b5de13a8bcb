#include <array>

#include "batchscope/schema/describe.hpp"
#include "batchscope/schema/tables.hpp"

namespace batchscope::schema {

template <>
const Table& table_of<TuneSettings>() {
  static constexpr std::array kFields = {
      field<&TuneSettings::objective>(
          "objective",
          {.required = true,
           .setting = {.flag = "--objective",
                       .help = "objective (default throughput); throughput: most samples per "
                               "second; latency: fastest batch; cost: cheapest sample",
                       .tune = kBest,
                       .excludes = kMaxBatchOnly}}),
      field<&TuneSettings::latency_of>("latency_of", {.required = true}),
      field<&TuneSettings::price_per_hour>(
          "price_per_hour",
          {.setting = {.flag = "--price-per-hour",
                       .help = "price of the machine per hour, for the cost per sample",
                       .tune = kBest,
                       .word = "PRICE",
                       .example = "0.34",
                       .excludes = kMaxBatchOnly}}),
      field<&TuneSettings::points>(
          "points", {.setting = {.flag = "--points",
                                 .help = "most points to measure (default: a fifth of the grid, "
                                         "at least 8; a tenth from 150)",
                                 .tune = kHowToSearch,
                                 .least = 1,
                                 .most = 100'000,
                                 .excludes = kMaxBatchOnly}}),
      field<&TuneSettings::practical>(
          "practical",
          {.setting = {.flag = "--practical",
                       .help =
                           "smallest gain over the default that justifies a change (default 1%)",
                       .tune = kBest,
                       .unit = Unit::share,
                       .example = "1%",
                       .most = 0.99,
                       .excludes = kMaxBatchOnly,
                       .may_differ = true}}),  // a matter of judging, not of measuring
      field<&TuneSettings::verify_blocks>(
          "verify_blocks", {.setting = {.flag = "--verify-blocks",
                                        .help = "separate visits of the pick, the runner-up and "
                                                "the default (default 12; 0: none)",
                                        .tune = kHowToSearch,
                                        .most = 1000}})};
  static constexpr Table kTable{kFields};
  return kTable;
}

template <>
const Table& table_of<MaxBatchSettings>() {
  static constexpr std::array kFields = {
      field<&MaxBatchSettings::margin>(
          "margin", {.required = true,
                     .setting = {.flag = "--margin",
                                 .help = "share of the memory limit that the safe size leaves free "
                                         "(default 5%)",
                                 .tune = kLargestBatch,
                                 .unit = Unit::share,
                                 .example = "5%",
                                 .most = 0.9,
                                 .needs = kMaxBatchOnly}}),
      field<&MaxBatchSettings::soak_s>(
          "soak_s",
          {.required = true,
           .setting = {.flag = "--soak-time",
                       .help = "endurance test: shortest run of the safe size (default 30s)",
                       .tune = kLargestBatch,
                       .unit = Unit::seconds,
                       .needs = kMaxBatchOnly}}),
      field<&MaxBatchSettings::max_batch_size>("max_batch_size",
                                               {.setting = {.flag = "--max-batch-size",
                                                            .help = "largest batch size to try",
                                                            .tune = kBest,
                                                            .least = 1,
                                                            .most = kLargestSize}}),
      field<&MaxBatchSettings::limit_bytes>("limit_bytes", {.required = true}),
      field<&MaxBatchSettings::limit_of>("limit_of"),
      field<&MaxBatchSettings::limit_held>("limit_held"),
      field<&MaxBatchSettings::machine_bytes>("machine_bytes")};
  static constexpr Table kTable{kFields};
  return kTable;
}

}  // namespace batchscope::schema
