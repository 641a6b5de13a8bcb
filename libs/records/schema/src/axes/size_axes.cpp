#include <fmt/format.h>

#include <array>

#include "axis_row.hpp"
#include "batchscope/schema/describe.hpp"

// How much work an iteration is: the samples of a batch, and how long each is.

namespace batchscope::schema {
namespace {

std::string length_of(const RunConfig& config) {
  if (!config.shape.length_mix.empty()) return config.shape.length_mix;
  return config.shape.seq_len ? fmt::format("{}", *config.shape.seq_len) : "none";
}

bool has_length(const RunConfig& config) {
  return config.shape.seq_len || !config.shape.length_mix.empty();
}

std::string length_in_words(const RunConfig& config) {
  return has_length(config) ? length_of(config) + " tokens" : "";
}

constexpr AxisPart kLength{"seq_len", AxisKind::work, length_of, length_in_words};

constexpr Field kBatchSizeField = field<&RunConfig::shape, &Shape::batch_size>(
    "batch_size", {.required = true,
                   .when = is_set<&RunConfig::shape, &Shape::batch_size>,
                   .least = 1,
                   .most = kLargestSize,
                   .description = "samples in one iteration"});

// The lengths themselves belong to no axis; see fields/config_table.cpp.
constexpr std::array kLengthFields = {
    field<&RunConfig::shape, &Shape::seq_len>(
        "seq_len",
        {.least = 1,
         .most = kLargestSize,
         .description = "tokens; absent for models without a length, and for a mix of lengths"}),
    field<&RunConfig::shape, &Shape::length_mix>(
        "length_mix", {.omit = Omit::empty,
                       .description = "variable-length input: the distribution of the lengths, as "
                                      "typed; seq_len is absent then"})};

// Of every batch size its own.
void forget_batch_size(RunConfig& config) {
  config.shape.batch_size = 0;
  config.shape.lengths.clear();
}

AxisRow batch_size_axis() {
  return {{.id = AxisId::batch_size,
           .name = "batch_size",
           .sets_outputs = false,
           .parts = {},
           .described =
               [](const RunConfig& c) {
                 const int64_t size = c.shape.batch_size;
                 return size > 0 ? fmt::format("batch_size={}", size) : "";
               },
           .words = no_words,
           .forget = forget_batch_size,
           .arguments = no_arguments},
          std::span(&kBatchSizeField, 1)};
}

AxisRow seq_len_axis() {
  return {{.id = AxisId::seq_len,
           .name = "seq_len",
           .sets_outputs = true,
           .parts = std::span(&kLength, 1),
           .described =
               [](const RunConfig& c) { return has_length(c) ? "seq_len=" + length_of(c) : ""; },
           .words = length_in_words,
           .forget = [](RunConfig& c) { c.shape = {.batch_size = c.shape.batch_size}; },
           .arguments =
               [](const RunConfig& c) {
                 if (!has_length(c)) return std::vector<Argument>{};
                 return std::vector<Argument>{{"--seq-lens", length_of(c)}};
               }},
          kLengthFields};
}

}  // namespace

std::vector<AxisRow> size_axes() {
  return {batch_size_axis(), seq_len_axis()};
}

}  // namespace batchscope::schema
