#include "readings/process_children.hpp"

#include "batchscope/base/parse_number.hpp"
#include "batchscope/host/text_fields.hpp"
#include "readings/process_stat.hpp"

namespace batchscope::host {

std::vector<int> numbers_in(const base::SystemRoot& root, const std::string& folder) {
  std::vector<int> numbers;
  for (const std::string& name : root.list(folder)) {
    if (const auto number = base::parse_number<int>(name)) numbers.push_back(*number);
  }
  return numbers;
}

std::vector<int> ProcessChildren::of(int pid, const std::vector<int>& threads) {
  if (!by_parent_ && are_listed(pid)) return listed(pid, threads);
  const auto& by_parent_process = by_parent();
  const auto found = by_parent_process.find(pid);
  return found == by_parent_process.end() ? std::vector<int>() : found->second;
}

bool ProcessChildren::are_listed(int pid) const {
  const std::string number = std::to_string(pid);
  return root_.exists("/proc/" + number + "/task/" + number + "/children");
}

std::vector<int> ProcessChildren::listed(int pid, const std::vector<int>& threads) const {
  std::vector<int> children;
  const std::string folder = "/proc/" + std::to_string(pid) + "/task/";
  for (const int thread : threads) {
    const std::string text = root_.read_trimmed(folder + std::to_string(thread) + "/children");
    for (const std::string_view field : split_fields(text)) {
      if (const auto child = base::parse_number<int>(field)) children.push_back(*child);
    }
  }
  return children;
}

const std::map<int, std::vector<int>>& ProcessChildren::by_parent() {
  if (by_parent_) return *by_parent_;
  by_parent_.emplace();
  for (const int pid : numbers_in(root_, "/proc")) {
    const auto text = root_.read("/proc/" + std::to_string(pid) + "/stat");
    const auto stat = text ? parse_process_stat(*text) : std::nullopt;
    if (stat) (*by_parent_)[static_cast<int>(stat->parent)].push_back(pid);
  }
  return *by_parent_;
}

}  // namespace batchscope::host
