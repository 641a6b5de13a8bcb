#include "step_notes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "batchscope/findings/wording.hpp"

namespace batchscope::advice {
namespace {

constexpr double kFarOut = 2;          // times the median
constexpr double kBetweenModes = 0.1;  // of the shorter, that the two in the middle are apart
constexpr double kContradicts = 0.1;   // that the changes of mean and of median are apart

std::string in_milliseconds(double ns) {
  return findings::milliseconds(ns / 1e6);
}

double total(const Side& side) {
  return std::accumulate(side.step_walls.begin(), side.step_walls.end(), 0.0);
}

template <class Is>
int64_t count(const std::vector<double>& walls, Is is) {
  return std::count_if(walls.begin(), walls.end(), is);
}

int64_t far_out(const Side& side) {
  return count(side.inner_walls, [&](double wall) { return wall > kFarOut * side.wall_ns; });
}

std::string far_out_note(const Side& side, const char* when) {
  const double longest = *std::max_element(side.inner_walls.begin(), side.inner_walls.end());
  const int64_t many = far_out(side);
  if (many > 1 || side.files > 1) {
    return fmt::format(
        " Of the {} steps {}, {} more than twice the median, up to {}.", side.step_walls.size(),
        when, many > 1 ? fmt::format("{} take", many) : "one takes", in_milliseconds(longest));
  }
  // The first and the last do not count.
  const auto edge = static_cast<std::ptrdiff_t>(side.step_walls.size() - side.inner_walls.size());
  const auto place = std::find(side.step_walls.begin() + edge / 2, side.step_walls.end(), longest);
  return fmt::format(" Of the {} steps {}, number {} takes {}.", side.step_walls.size(), when,
                     place - side.step_walls.begin() + 1, in_milliseconds(longest));
}

// Of an even number of steps the median lies between two, which may be far apart.
std::string between_note(const Side& side, const char* when) {
  std::vector<double> sorted = side.inner_walls;
  if (side.files > 1 || sorted.size() < 2 || sorted.size() % 2 == 1) return "";
  std::sort(sorted.begin(), sorted.end());
  const double low = sorted[sorted.size() / 2 - 1], high = sorted[sorted.size() / 2];
  if (high - low <= kBetweenModes * low) return "";
  return fmt::format(
      " The median {} is uncertain: of {} steps, {} take at most {} and {} at least {}.", when,
      side.step_walls.size(), count(side.step_walls, [&](double wall) { return wall <= low; }),
      in_milliseconds(low), count(side.step_walls, [&](double wall) { return wall >= high; }),
      in_milliseconds(high));
}

std::string mean_note(const Side& before, const Side& after) {
  if (before.wall_ns <= 0 || mean_step(before) <= 0) return "";
  const double of_median = after.wall_ns / before.wall_ns - 1;
  const double of_mean = mean_step(after) / mean_step(before) - 1;
  if (std::abs(of_mean - of_median) < kContradicts) return "";
  const bool are_alike =
      before.files == 1 && after.files == 1 && before.step_walls.size() == after.step_walls.size();
  if (!are_alike) {
    return fmt::format(" The mean of all steps is {} instead of {}.",
                       in_milliseconds(mean_step(after)), in_milliseconds(mean_step(before)));
  }
  return fmt::format(" All {} steps together take {} instead of {}.", after.step_walls.size(),
                     in_milliseconds(total(after)), in_milliseconds(total(before)));
}

}  // namespace

double mean_step(const Side& side) {
  return side.step_walls.empty() ? 0 : total(side) / static_cast<double>(side.step_walls.size());
}

std::string step_notes(const Side& before, const Side& after) {
  if (before.step_walls.size() == 1 || after.step_walls.size() == 1) {
    return " One step is too few samples to be reliable (~). Record several.";
  }
  std::string text = between_note(before, "before") + between_note(after, "after");
  if (far_out(before) > far_out(after)) text += far_out_note(before, "before");
  if (far_out(after) > far_out(before)) text += far_out_note(after, "after");
  return text + mean_note(before, after);
}

}  // namespace batchscope::advice
