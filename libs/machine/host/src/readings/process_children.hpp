#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "batchscope/base/system_root.hpp"

namespace batchscope::host {

// The numbers among the names in a folder of /proc: processes, or the threads of one.
std::vector<int> numbers_in(const base::SystemRoot& root, const std::string& folder);

// Who began which process, during one reading. The kernel lists the children of each thread where
// it is built to (CONFIG_PROC_CHILDREN); else every process of the machine is asked for its parent,
// once a reading.
class ProcessChildren {
 public:
  explicit ProcessChildren(const base::SystemRoot& root) : root_(root) {}

  // `threads`: of the process, whose children are looked for.
  std::vector<int> of(int pid, const std::vector<int>& threads);

 private:
  bool are_listed(int pid) const;
  std::vector<int> listed(int pid, const std::vector<int>& threads) const;
  const std::map<int, std::vector<int>>& by_parent();

  const base::SystemRoot& root_;
  std::optional<std::map<int, std::vector<int>>> by_parent_;
};

}  // namespace batchscope::host
