#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "batchscope/host/cgroup.hpp"
#include "limits/cgroup_files.hpp"

namespace batchscope::host {

// Stands in for the kernel's cgroup tree: control files appear with a group, and what a real kernel
// refuses is refused.
class FakeCgroupFiles : public CgroupFiles {
 public:
  explicit FakeCgroupFiles(CgroupVersion version) : version_(version) {}

  // A group that is there already; `memory` = its parent hands the controller down to it.
  void add_group(const std::filesystem::path& group, bool memory = true) {
    groups_.insert(group);
    if (version_ == CgroupVersion::v2) files_[group / "cgroup.subtree_control"] = "";
    if (memory) add_memory_files(group);
  }
  void set(const std::filesystem::path& file, const std::string& text) { files_[file] = text; }
  // Holds processes itself, so v2 lets it hand nothing down.
  void add_processes(const std::filesystem::path& group) { busy_.insert(group); }
  void forbid_making(const std::filesystem::path& parent) { read_only_.insert(parent); }

  const std::set<std::filesystem::path>& groups() const { return groups_; }
  std::filesystem::path child_of(const std::filesystem::path& parent) const {
    const auto found = std::find_if(groups_.begin(), groups_.end(), [&](const auto& each) {
      return each.parent_path() == parent && each.filename().string().starts_with("batchscope-");
    });
    return found == groups_.end() ? std::filesystem::path() : *found;
  }

  base::Result<void> make_group(const std::filesystem::path& group) override {
    if (read_only_.contains(group.parent_path())) return refuse("Permission denied", group);
    add_group(group, hands_down(group.parent_path()));
    return {};
  }
  bool remove_group(const std::filesystem::path& group) override {
    if (leaving_-- > 0) return false;
    groups_.erase(group);
    return true;
  }
  // As many attempts to remove a group come before the last process has left it.
  void keep_leaving(int attempts) { leaving_ = attempts; }

  base::Result<void> write(const std::filesystem::path& file, std::string_view text) override {
    const bool hand_down = file.filename() == "cgroup.subtree_control";
    if (hand_down && busy_.contains(file.parent_path()))
      return refuse("Device or resource busy", file);
    if (!files_.contains(file)) return refuse("No such file or directory", file);
    files_[file] = hand_down ? "memory" : std::string(text);
    return {};
  }

  std::string read(const std::filesystem::path& file) const override {
    const auto found = files_.find(file);
    return found == files_.end() ? "" : found->second;
  }
  bool exists(const std::filesystem::path& file) const override {
    return files_.contains(file) || groups_.contains(file);
  }
  std::vector<std::string> list(const std::filesystem::path& group) const override {
    std::vector<std::string> names;
    for (const auto& other : groups_) {
      if (other.parent_path() == group) names.push_back(other.filename().string());
    }
    return names;
  }
  std::filesystem::path real_path(const std::filesystem::path& file) const override { return file; }

 private:
  static base::Error refuse(const std::string& why, const std::filesystem::path& where) {
    return {base::ErrorKind::failed, why, where.string(), {}};
  }
  bool hands_down(const std::filesystem::path& parent) const {
    return version_ == CgroupVersion::v1 ||
           read(parent / "cgroup.subtree_control").find("memory") != std::string::npos;
  }
  void add_memory_files(const std::filesystem::path& group) {
    if (version_ == CgroupVersion::v2) {
      for (const char* name : {"memory.max", "memory.swap.max", "memory.oom.group"}) {
        files_[group / name] = "max";
      }
      return;
    }
    files_[group / "memory.limit_in_bytes"] = "9223372036854771712";
    files_[group / "memory.swappiness"] = "60";
  }

  CgroupVersion version_;
  int leaving_ = 0;
  std::set<std::filesystem::path> groups_;
  std::set<std::filesystem::path> busy_;
  std::set<std::filesystem::path> read_only_;
  std::map<std::filesystem::path, std::string> files_;
};

}  // namespace batchscope::host
