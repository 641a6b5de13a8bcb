#include "onednn_log.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "batchscope/base/parse_number.hpp"
#include "batchscope/base/strings.hpp"

namespace batchscope::torch_plugin {
namespace {

std::optional<double> finite_number(std::string_view field) {
  const auto value = base::parse_number<double>(field);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

std::optional<int64_t> milliseconds(std::string_view field) {
  constexpr double kLongest = 1e9;  // eleven days: no execution, but a torn number
  const auto ms = finite_number(field);
  if (!ms || std::signbit(*ms) || *ms > kLongest) return std::nullopt;
  return std::llround(*ms * 1e6);
}

bool is_name(std::string_view field) {
  constexpr size_t kLongest = 200;
  return !field.empty() && field.size() <= kLongest &&
         std::all_of(field.begin(), field.end(), [](char c) { return c > ' ' && c <= '~'; });
}

struct Entry {
  bool creation = false;
  std::string_view kind;
  std::string_view implementation;
  std::string_view work;  // all that tells it from other executions of the implementation
  int64_t ns = 0;
};

std::optional<Entry> parse_line(std::string_view line) {
  const auto fields = base::split(line, ',');
  if (fields[0] != "onednn_verbose" && fields[0] != "dnnl_verbose") return std::nullopt;
  size_t at = 1;
  if (at < fields.size() && fields[at] == "v1") ++at;
  if (at < fields.size() && finite_number(fields[at])) ++at;  // ONEDNN_VERBOSE_TIMESTAMP
  if (at < fields.size() && fields[at] == "primitive") ++at;
  // operation, engine, primitive, implementation, propagation, memory, attributes, auxiliary,
  // problem, time
  constexpr size_t kFields = 10;
  if (fields.size() != at + kFields) return std::nullopt;
  const std::string_view operation = fields[at];
  const auto ns = milliseconds(fields.back());
  Entry entry{operation == "create:cache_miss", fields[at + 2], fields[at + 3],
              line.substr(0, line.size() - fields.back().size()), ns.value_or(0)};
  entry.work.remove_prefix(static_cast<size_t>(fields[at].data() - line.data()));
  if (!ns || !(entry.creation || operation == "exec")) return std::nullopt;
  if (!is_name(entry.kind) || !is_name(entry.implementation)) return std::nullopt;
  return entry;
}

void add_saturated(int64_t& sum, int64_t ns) {
  sum = std::min(sum, std::numeric_limits<int64_t>::max() - ns) + ns;
}

// Executions of the same work.
using Repeats = std::vector<int64_t>;

// As if each had taken the median: one look is short, and one interruption would outweigh the rest.
int64_t undisturbed_ns(Repeats repeats) {
  const auto middle = repeats.begin() + static_cast<std::ptrdiff_t>(repeats.size() / 2);
  std::nth_element(repeats.begin(), middle, repeats.end());
  auto median = static_cast<double>(*middle);
  if (repeats.size() % 2 == 0) {
    median = (median + static_cast<double>(*std::max_element(repeats.begin(), middle))) / 2;
  }
  const double sum = median * static_cast<double>(repeats.size());
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  return sum < static_cast<double>(kMost) ? std::llround(sum) : kMost;
}

struct Row {
  schema::Primitive primitive;
  std::map<std::string_view, Repeats> executions;  // by work

  void add(const Entry& entry) {
    if (entry.creation) {
      ++primitive.created;
      add_saturated(primitive.creation_ns, entry.ns);
    } else {
      ++primitive.calls;
      executions[entry.work].push_back(entry.ns);
    }
  }
};

}  // namespace

std::vector<schema::Primitive> sum_onednn_log(std::string_view log) {
  std::map<std::pair<std::string_view, std::string_view>, Row> rows;
  for (size_t end = log.find('\n'); end != std::string_view::npos; end = log.find('\n')) {
    const auto entry = parse_line(log.substr(0, end));
    if (entry) rows[{entry->kind, entry->implementation}].add(*entry);
    log.remove_prefix(end + 1);  // what has no line end is torn
  }
  std::vector<schema::Primitive> primitives;
  for (auto& [key, row] : rows) {
    schema::Primitive& primitive = row.primitive;
    for (const auto& [work, repeats] : row.executions) {
      add_saturated(primitive.total_ns, undisturbed_ns(repeats));
    }
    primitive.kind = key.first;
    primitive.implementation = key.second;
    primitives.push_back(std::move(primitive));
  }
  std::stable_sort(primitives.begin(), primitives.end(),
                   [](const auto& a, const auto& b) { return a.total_ns > b.total_ns; });
  return primitives;
}

}  // namespace batchscope::torch_plugin
