#include "profile_totals.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "batchscope/base/strings.hpp"

namespace batchscope::openvino_plugin {
namespace {

std::string kind_of(const std::string& node_type) {
  if (node_type == "FullyConnected") return "inner_product";
  return base::to_lower(node_type);
}

// ns over all runs, by layer.
std::map<std::string, int64_t> sums_of(const LayerMeans& means) {
  std::map<std::string, int64_t> sums;
  for (const ov::ProfilingInfo& layer : means.layers) {
    sums[layer.node_name] = means.runs * std::chrono::nanoseconds(layer.real_time).count();
  }
  return sums;
}

void sum_the_rest(std::vector<schema::Operation>& operations, size_t most) {
  if (operations.size() <= most) return;
  schema::Operation& rest = operations[most];
  rest.name = "other";
  for (size_t i = most + 1; i < operations.size(); ++i) {
    rest.calls += operations[i].calls;
    rest.total_ns += operations[i].total_ns;
    rest.self_ns += operations[i].self_ns;
  }
  operations.resize(most + 1);
}

template <class Each>
void longest_first(std::vector<Each>& all) {
  std::stable_sort(all.begin(), all.end(),
                   [](const Each& a, const Each& b) { return a.total_ns > b.total_ns; });
}

}  // namespace

ProfileTotals totals_between(const LayerMeans& before, const LayerMeans& after, size_t most) {
  auto sums_before = sums_of(before);
  auto sums_after = sums_of(after);
  const int64_t runs = after.runs - before.runs;
  ProfileTotals totals;
  std::map<std::pair<std::string, std::string>, schema::Primitive> kinds;
  for (const ov::ProfilingInfo& layer : after.layers) {
    if (layer.status != ov::ProfilingInfo::Status::EXECUTED) continue;
    const int64_t ns =
        std::max<int64_t>(sums_after[layer.node_name] - sums_before[layer.node_name], 0);
    schema::Operation operation;
    operation.name = layer.node_type + " " + layer.node_name;
    operation.kind = schema::OperationKind::op;
    operation.calls = runs;
    operation.total_ns = operation.self_ns = ns;
    totals.operations.push_back(std::move(operation));
    schema::Primitive& primitive = kinds[{kind_of(layer.node_type), layer.exec_type}];
    primitive.calls += runs;
    primitive.total_ns += ns;
  }
  for (auto& [key, primitive] : kinds) {
    primitive.kind = key.first;
    primitive.implementation = key.second;
    totals.primitives.push_back(std::move(primitive));
  }
  longest_first(totals.operations);
  longest_first(totals.primitives);
  sum_the_rest(totals.operations, most);
  return totals;
}

}  // namespace batchscope::openvino_plugin
