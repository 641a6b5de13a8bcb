#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace batchscope::schema {

// Variables that visits are made under, beside those of the program that makes them.
using Environment = std::map<std::string, std::string>;

struct RunConfig;

// The axes of a sweep, each a field of RunConfig (of the shape, two), in the order in which files
// hold them.
enum class AxisId {
  engine,
  model,
  batch_size,
  seq_len,
  precision,
  device,
  threads,
  instances,
  mode,
  optimizer,
  checkpointing,
  accumulation,
  loader,
  pipeline,
  environment,
  huge_pages,
  param,
  compile,
  gc
};
inline constexpr AxisId kLastAxis = AxisId::gc;
inline constexpr std::size_t kAxes = static_cast<std::size_t>(kLastAxis) + 1;

// Work is what is computed, a setting how that is run: throughputs rank settings of the same work.
enum class AxisKind { work, setting };

// What configurations are told apart by. Most axes are one part; a loader has its files, its
// workers and more, of which two configurations may differ in one alone.
struct AxisPart {
  std::string_view name;  // in machine output: "loader_workers"
  AxisKind kind;
  std::string (*value)(const RunConfig&);  // in machine output, at its default too: "2", "off"
  std::string (*words)(const RunConfig&);  // in a sentence: "2 loader workers"; empty: no words
};

// The part of a loader that whoever compares loaders asks for.
inline constexpr std::string_view kLoaderWorkers = "loader_workers";

// A flag, and its value as it is typed; empty: it takes none.
struct Argument {
  std::string flag;
  std::string value;
};

// The flag of an axis with plain values, by the name of the axis: "--huge-pages".
std::string flag_named(std::string_view axis);

// How an axis is asked for of which a value is one word, and nothing depends on another axis.
struct PlainValues {
  std::string_view help = {};  // empty: it is asked for in a way of its own
  bool (*read)(std::string_view word, RunConfig&) = nullptr;  // false: no value of it

  explicit operator bool() const { return read != nullptr; }
};

// All that is known of an axis without knowing who asks. What is special about one in a library
// (flags that are read together, how far apart two values are for a search) stands there in a table
// by AxisId of those few; what stands in none is treated as most are.
struct Axis {
  AxisId id;
  std::string_view name;  // in files and in all machine output: "precision"
  // Whether the outputs for a sample follow from it.
  bool sets_outputs;
  // Empty where nothing is told apart by it: the batch size, of which a table has several, and the
  // optimizer, which belongs to the mode.
  std::span<const AxisPart> parts;
  // For describe(): "threads=2"; empty where it is at its default.
  std::string (*described)(const RunConfig&);
  // In a list of what is set: "2 threads"; empty where it does not apply or is at its default.
  std::string (*words)(const RunConfig&);
  // Takes its value away, so that configurations that differ in it alone become equal.
  void (*forget)(RunConfig&);
  // What asks for its value; nothing where that is the default, or where whoever measures says it
  // otherwise (the model, the batch sizes).
  std::vector<Argument> (*arguments)(const RunConfig&);
  // Whether a process has one value of it for all its life.
  bool of_process = false;
  PlainValues plain = {};
  // Whether only models in a language of their own have it.
  bool of_interpreter = false;
};

// All of them, in the order of AxisId.
std::span<const Axis> axes();
const Axis& axis(AxisId id);

// What the table of a library, of rows with an `id`, says of an axis; null: nothing special.
template <class Table>
constexpr const typename Table::value_type* special(const Table& table, AxisId id) {
  for (const auto& row : table) {
    if (row.id == id) return &row;
  }
  return nullptr;
}

// Calls visit(axis) for each in that order, but for the engine after `place`: what is written for
// readers names it late, since few have a second.
template <class Visit>
void each_axis_engine_after(AxisId place, const Visit& visit) {
  for (const Axis& each : axes()) {
    if (each.id != AxisId::engine) visit(each);
    if (each.id == place) visit(axis(AxisId::engine));
  }
}

}  // namespace batchscope::schema
