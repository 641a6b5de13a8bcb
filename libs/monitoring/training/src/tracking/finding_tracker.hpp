#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "batchscope/watch/active_finding.hpp"

namespace batchscope::training {

// What stands and what ended, under keys of whoever finds it.
class FindingTracker {
 public:
  explicit FindingTracker(std::size_t remembered) : remembered_(remembered) {}

  // Of what stands already the finding is replaced.
  void raise(const std::string& key, findings::Finding finding, int64_t since_ns);
  // The same, and what was worst is what it ends as: while the steps that show it go by, it seems
  // to become less.
  void raise_worst(const std::string& key, findings::Finding finding, int64_t since_ns);
  void end(const std::string& key, int64_t now_ns);
  // It ends, and was none: another finding explains what it was seen in.
  void withdraw(const std::string& key, int64_t now_ns);
  bool is_active(const std::string& key) const { return active_.contains(key); }

  std::vector<watch::ActiveFinding> active() const;
  std::vector<watch::ActiveFinding> take_changes();
  // More than three of one kind and source are told as one.
  std::vector<watch::ActiveFinding> all() const;

 private:
  struct Record {
    watch::ActiveFinding now;
    findings::Finding worst;
  };
  bool take_out(const std::string& key, int64_t now_ns);
  static watch::ActiveFinding at_its_worst(const Record& record);

  std::size_t remembered_;
  std::map<std::string, Record> active_;
  std::deque<watch::ActiveFinding> ended_, changes_;
};

}  // namespace batchscope::training
