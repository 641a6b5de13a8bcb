#include "batchscope/ranges/tree.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "family.hpp"

namespace batchscope::ranges {
namespace {

// A row being added up; rows are told apart by the row around them and their name.
struct Node {
  TreeRow row;
  std::set<int> threads;
  std::vector<std::size_t> inside;
};

class TreeBuilder {
 public:
  std::vector<TreeRow> build(const Recording& recording) {
    const Family family(recording);
    std::vector<std::size_t> node_of(recording.ranges.size());
    for (const std::size_t i : family.in_order()) {
      const RangeRecord& range = recording.ranges[i];
      const auto around = family.around(i);
      const std::size_t parent = around ? node_of[*around] : kRoot;
      node_of[i] = find(parent, range.name);
      add(range, nodes_[node_of[i]]);
      if (around) nodes_[parent].row.self_ns -= shared_ns(range, recording.ranges[*around]);
    }
    std::vector<TreeRow> rows;
    append_inside(nodes_[kRoot], rows);
    return rows;
  }

 private:
  static constexpr std::size_t kRoot = 0;

  static int64_t shared_ns(const RangeRecord& a, const RangeRecord& b) {
    return std::max<int64_t>(0, std::min(a.end_ns, b.end_ns) - std::max(a.begin_ns, b.begin_ns));
  }

  std::size_t find(std::size_t parent, const std::string& name) {
    const auto [found, is_new] = known_.try_emplace({parent, name}, nodes_.size());
    if (is_new) {
      Node node;
      node.row.path = nodes_[parent].row.path;
      node.row.path.push_back(name);
      nodes_.push_back(std::move(node));
      nodes_[parent].inside.push_back(found->second);
    }
    return found->second;
  }

  static void add(const RangeRecord& range, Node& node) {
    TreeRow& row = node.row;
    const int64_t time = range.end_ns - range.begin_ns;
    ++row.calls;
    row.open += range.open ? 1 : 0;
    row.total_ns += time;
    row.self_ns += time;
    row.max_ns = std::max(row.max_ns, time);
    row.mean_ns = static_cast<double>(row.total_ns) / static_cast<double>(row.calls);
    if (range.device_ns) row.device_ns = row.device_ns.value_or(0) + *range.device_ns;
    if (range.memory) row.peak_bytes = std::max(row.peak_bytes, range.memory->peak_bytes);
    node.threads.insert(range.thread);
    row.threads = static_cast<int>(node.threads.size());
  }

  void append_inside(const Node& node, std::vector<TreeRow>& rows) const {
    std::vector<std::size_t> inside = node.inside;
    std::sort(inside.begin(), inside.end(), [&](std::size_t a, std::size_t b) {
      const TreeRow& left = nodes_[a].row;
      const TreeRow& right = nodes_[b].row;
      return std::tie(right.total_ns, left.path.back()) <
             std::tie(left.total_ns, right.path.back());
    });
    for (const std::size_t i : inside) {
      rows.push_back(nodes_[i].row);
      append_inside(nodes_[i], rows);
    }
  }

  std::vector<Node> nodes_{1};
  std::map<std::pair<std::size_t, std::string>, std::size_t> known_;
};

}  // namespace

std::vector<TreeRow> tree(const Recording& recording) {
  return TreeBuilder().build(recording);
}

}  // namespace batchscope::ranges
