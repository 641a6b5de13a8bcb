#include <fmt/format.h>

#include <algorithm>

#include "axis_row.hpp"

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

void check_lengths(const JsonFields& fields, RunConfig& config) {
  const Shape& shape = config.shape;
  if (fields.failed() || (shape.lengths.empty() && shape.length_mix.empty())) return;
  const auto samples = static_cast<int64_t>(shape.lengths.size());
  if (samples == 0 || samples % effective_batch(config) != 0) {
    fields.fail("lengths", "is not a whole number of batches");
  }
  if (shape.length_mix.empty()) fields.fail("length_mix", "is missing");
  if (shape.seq_len) fields.fail("seq_len", "stands beside lengths");
}

void read_lengths(const JsonFields& fields, RunConfig& config) {
  Shape& shape = config.shape;
  fields.within("seq_len", int64_t{1}, kLargestSize, shape.seq_len);
  fields.read("length_mix", shape.length_mix);
  fields.read("lengths", shape.lengths);
  const bool fits = std::all_of(shape.lengths.begin(), shape.lengths.end(), [](int64_t length) {
    return length >= 1 && length <= kLargestSize;
  });
  if (!fits) fields.fail("lengths", "holds one that is too small or too large");
}

// The lengths themselves stand in the run file alone, see write_lines.cpp.
void write_lengths(const RunConfig& config, nlohmann::ordered_json& json) {
  if (config.shape.seq_len) json["seq_len"] = *config.shape.seq_len;
  if (!config.shape.length_mix.empty()) json["length_mix"] = config.shape.length_mix;
}

// Of every batch size its own.
void forget_batch_size(RunConfig& config) {
  config.shape.batch_size = 0;
  config.shape.lengths.clear();
}

}  // namespace

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
          [](const RunConfig& c, nlohmann::ordered_json& json) {
            if (c.shape.batch_size != 0) json["batch_size"] = c.shape.batch_size;
          },
          [](const JsonFields& fields, RunConfig& c) {
            fields.require("batch_size", c.shape.batch_size);
            fields.within("batch_size", int64_t{1}, kLargestSize, c.shape.batch_size);
          }};
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
          write_lengths,
          read_lengths,
          check_lengths};
}

}  // namespace batchscope::schema
