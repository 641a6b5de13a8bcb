#pragma once

#include <array>
#include <span>
#include <string_view>

// Logs of training loops that people have: one table.
namespace batchscope::stepfeed {

enum class Syntax { json, csv, text };

using Names = std::array<std::string_view, 5>;  // the first that is there counts

// Names are the writer's own. See values.hpp for what stands in place of one in a text.
struct StepFormat {
  std::string_view name;      // "the state of Hugging Face's Trainer"
  std::string_view writer{};  // "Hugging Face's Trainer"; empty: any
  Syntax syntax{};
  // A line is one of this format where all of these stand in it; of a table, in its head.
  Names marks{};
  Names step{}, seconds{}, loading{}, loss{}, learning_rate{}, batch{}, epoch{};
  double unit = 1;  // seconds, where none stands beside a time
  // Each time is that since the begin.
  bool cumulative = false;
  // Lines of the progress within an epoch, of which only the last is a mean of all of it.
  bool only_ends = false;
  bool of_epochs = false;  // a line is one, and its number that of the epoch
  // Each time is of one step, also where only each tenth is told.
  bool of_one = false;
  // How to have what is missing, where a format has no times of steps.
  std::string_view without_times{};
};

// Those that are the more special first.
std::span<const StepFormat> step_formats();

}  // namespace batchscope::stepfeed
