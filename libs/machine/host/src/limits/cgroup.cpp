#include "batchscope/host/cgroup.hpp"

#include <algorithm>

#include "batchscope/base/algorithms.hpp"
#include "batchscope/base/strings.hpp"
#include "batchscope/host/text_fields.hpp"

namespace batchscope::host {
namespace {

struct Mount {
  CgroupVersion version = CgroupVersion::none;
  std::string root;  // the part of the hierarchy that is mounted here
  std::filesystem::path path;
  std::string options;  // v1: names the controllers
};

// A line of mountinfo (proc_pid_mountinfo(5)): fixed fields, optional ones, "-", type, source,
// options.
std::optional<Mount> parse_mount(std::string_view line) {
  const auto fields = split_fields(line);
  const auto dash = std::find(fields.begin(), fields.end(), "-");
  if (fields.size() < 10 || fields.end() - dash < 4) return std::nullopt;
  Mount mount;
  if (dash[1] == "cgroup") mount.version = CgroupVersion::v1;
  if (dash[1] == "cgroup2") mount.version = CgroupVersion::v2;
  if (mount.version == CgroupVersion::none) return std::nullopt;
  mount.root = fields[3];
  mount.path = fields[4];
  mount.options = dash[3];
  return mount;
}

std::vector<Mount> read_mounts(const base::SystemRoot& root) {
  std::vector<Mount> mounts;
  const std::string text = root.read("/proc/self/mountinfo").value_or("");
  for (const std::string_view line : base::split(text, '\n')) {
    if (auto mount = parse_mount(line)) mounts.push_back(std::move(*mount));
  }
  return mounts;
}

// A line "hierarchy:controllers:path" of /proc/self/cgroup; no controllers means v2.
struct Membership {
  std::string controllers;
  std::string path;
};

std::vector<Membership> read_memberships(const base::SystemRoot& root) {
  std::vector<Membership> memberships;
  const std::string text = root.read("/proc/self/cgroup").value_or("");
  for (const std::string_view line : base::split(text, '\n')) {
    const size_t first = line.find(':');
    if (first == std::string_view::npos) continue;
    const size_t second = line.find(':', first + 1);
    if (second == std::string_view::npos) continue;
    memberships.push_back({std::string(line.substr(first + 1, second - first - 1)),
                           std::string(line.substr(second + 1))});
  }
  return memberships;
}

bool is_listed_in(std::string_view comma_separated, std::string_view name) {
  return base::contains(base::split(comma_separated, ','), name);
}

// Where the group lies below the mount, or the mount itself when the group is outside of it.
CgroupDir locate(const base::SystemRoot& root, const Mount& mount, std::string_view path) {
  std::string_view below = path;
  if (mount.root != "/") {
    const bool inside = path == mount.root || path.starts_with(mount.root + '/');
    below = inside ? path.substr(mount.root.size()) : std::string_view();
  }
  if (below.find("/..") != std::string_view::npos) below = {};
  while (below.starts_with('/')) below.remove_prefix(1);
  const std::filesystem::path group = below.empty() ? mount.path : mount.path / below;
  return {mount.version, mount.path, root.exists(group) ? group : mount.path};
}

class Finder {
 public:
  explicit Finder(const base::SystemRoot& root)
      : root_(root), mounts_(read_mounts(root)), memberships_(read_memberships(root)) {}

  CgroupDir find(std::string_view controller) const {
    for (const Membership& membership : memberships_) {
      if (!is_listed_in(membership.controllers, controller)) continue;
      for (const Mount& mount : mounts_) {
        if (mount.version == CgroupVersion::v1 && is_listed_in(mount.options, controller)) {
          return locate(root_, mount, membership.path);
        }
      }
    }
    return find_v2();
  }

  bool hybrid() const { return mounted(CgroupVersion::v1) && mounted(CgroupVersion::v2); }

 private:
  CgroupDir find_v2() const {
    for (const Membership& membership : memberships_) {
      if (!membership.controllers.empty()) continue;
      for (const Mount& mount : mounts_) {
        if (mount.version == CgroupVersion::v2) return locate(root_, mount, membership.path);
      }
    }
    return {};
  }

  bool mounted(CgroupVersion version) const {
    return std::any_of(mounts_.begin(), mounts_.end(),
                       [version](const Mount& mount) { return mount.version == version; });
  }

  const base::SystemRoot& root_;
  std::vector<Mount> mounts_;
  std::vector<Membership> memberships_;
};

}  // namespace

std::vector<std::filesystem::path> CgroupDir::lineage() const {
  std::vector<std::filesystem::path> groups;
  if (version == CgroupVersion::none) return groups;
  for (std::filesystem::path at = group; at != mount && at.has_relative_path();
       at = at.parent_path()) {
    groups.push_back(at);
  }
  groups.push_back(mount);
  return groups;
}

Cgroups find_cgroups(const base::SystemRoot& root) {
  const Finder finder(root);
  return {finder.find("cpu"), finder.find("memory"), finder.hybrid()};
}

std::string describe(const Cgroups& cgroups) {
  if (cgroups.hybrid) return "cgroup v1 and v2 (hybrid)";
  for (const CgroupDir* dir : {&cgroups.cpu, &cgroups.memory}) {
    if (dir->version == CgroupVersion::v1) return "cgroup v1";
    if (dir->version == CgroupVersion::v2) return "cgroup v2";
  }
  return "none";
}

}  // namespace batchscope::host
