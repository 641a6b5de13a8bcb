#include "diagnosis_section.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <set>

#include "batchscope/base/algorithms.hpp"
#include "batchscope/base/units.hpp"
#include "batchscope/findings/numbers.hpp"
#include "batchscope/findings/wording.hpp"
#include "tables/operations_table.hpp"
#include "tables/tables.hpp"

namespace batchscope::report {
namespace {

using document::Document;
using document::Heading;
using document::List;
using document::Paragraph;
using document::TextTable;
using document::Tone;
using findings::brief;
using findings::Diagnostics;
using findings::enumerated;
using findings::fixed;
using findings::kAbsent;
using findings::OperationRow;
using findings::percent;
using findings::plain;
using findings::SizeDiagnosis;

constexpr std::size_t kMostInTerminal = 5;
constexpr std::size_t kNameInTerminal = 44;
constexpr std::size_t kMostNotes = 8;

constexpr const char* kApart =
    "Diagnostic visits are separate from the measurement and do not affect the scaling tables.";

using TextOf = std::function<std::string(const SizeDiagnosis&)>;

// One row a batch size; a column that no size has a value for is left out.
class SizesTable {
 public:
  explicit SizesTable(const std::vector<SizeDiagnosis>& sizes) : sizes_(sizes) {
    table_.columns = {{"batch", "size"}};
    for (const SizeDiagnosis& size : sizes) {
      table_.rows.push_back({{std::to_string(size.batch_size), "", Tone::plain}});
    }
  }

  void add(const char* title, const std::string& second, const TextOf& get) {
    const std::vector<std::string> texts = base::mapped(sizes_, get);
    const auto is_empty = [](const std::string& text) { return text.empty(); };
    if (std::all_of(texts.begin(), texts.end(), is_empty)) return;
    table_.columns.push_back({title, second});
    for (std::size_t i = 0; i < texts.size(); ++i) {
      table_.rows[i].push_back({texts[i].empty() ? kAbsent : texts[i], "", Tone::plain});
    }
  }

  TextTable take() { return table_.columns.size() > 1 ? std::move(table_) : TextTable{}; }

 private:
  const std::vector<SizeDiagnosis>& sizes_;
  TextTable table_;
};

using Value = std::optional<double> SizeDiagnosis::*;

TextOf shown(Value value, std::string (*words)(double)) {
  return [=](const SizeDiagnosis& size) { return if_any(size.*value, words); };
}

std::string large_count(double value) {
  if (value >= 1e9) return brief(value / 1e9) + " G";
  if (value >= 1e6) return brief(value / 1e6) + " M";
  if (value >= 1e4) return brief(value / 1e3) + " k";
  return brief(value);
}

void add_counters(SizesTable& table, const std::vector<SizeDiagnosis>& sizes) {
  std::set<std::string> names;
  for (const SizeDiagnosis& size : sizes) {
    for (const auto& [name, value] : size.counters) names.insert(name);
  }
  for (const std::string& name : names) {
    table.add(name.c_str(), "an iteration", [&](const SizeDiagnosis& size) {
      const auto found = size.counters.find(name);
      return found == size.counters.end() ? std::string() : large_count(found->second);
    });
  }
}

std::string threads_at_work(const SizeDiagnosis& size) {
  return size.busy_threads > 0 ? std::to_string(size.busy_threads) : std::string();
}

void add_threads(SizesTable& table) {
  table.add("threads", "at work", threads_at_work);
  table.add("imbalance", "of threads",
            shown(&SizeDiagnosis::imbalance, [](double value) { return fixed(value, 2); }));
}

TextTable sizes_table(const std::vector<SizeDiagnosis>& sizes) {
  SizesTable table(sizes);
  table.add("time", "ms", [](const SizeDiagnosis& size) {
    return size.time_ms > 0 ? plain(size.time_ms) : std::string();
  });
  table.add("traced", "ms", [](const SizeDiagnosis& size) {
    return size.traced_ms > 0 ? plain(size.traced_ms) : std::string();
  });
  table.add("minor", "page faults", shown(&SizeDiagnosis::minor_faults, mean_count));
  table.add("major", "page faults", shown(&SizeDiagnosis::major_faults, mean_count));
  table.add("user time", "ms", shown(&SizeDiagnosis::user_ms, brief));
  table.add("system time", "ms", shown(&SizeDiagnosis::system_ms, brief));
  table.add("switches", "voluntary", shown(&SizeDiagnosis::voluntary_switches, mean_count));
  table.add("switches", "forced", shown(&SizeDiagnosis::involuntary_switches, mean_count));
  add_threads(table);
  table.add("memory", "anonymous", shown(&SizeDiagnosis::anonymous_bytes, [](double bytes) {
              return base::format_bytes(static_cast<int64_t>(bytes));
            }));
  table.add("in huge", "pages", shown(&SizeDiagnosis::huge_page_share, percent));
  table.add("device", "busy", shown(&SizeDiagnosis::device_busy_share, percent));
  table.add("primitives", "created", shown(&SizeDiagnosis::created_primitives, mean_count));
  add_counters(table, sizes);
  return table.take();
}

// How much longer an iteration takes under the tracer: what it does to the times of operations.
std::string tracer_words(const Diagnostics& diagnostics) {
  double least = 0, most = 0;
  for (const SizeDiagnosis& size : diagnostics.sizes) {
    if (size.traced_ms <= 0 || size.time_ms <= 0) continue;
    const double factor = size.traced_ms / size.time_ms;
    least = least == 0 ? factor : std::min(least, factor);
    most = std::max(most, factor);
  }
  if (most == 0) return "";
  const std::string low = fixed(least, 2), high = fixed(most, 2);
  return fmt::format(
      "An iteration under the tracer{} takes {} times as long as undisturbed. This inflates the "
      "times of operations, most for short and frequent ones. Compare operations and batch sizes "
      "here, but not with the scaling table.",
      diagnostics.tracer.empty() ? "" : " (" + diagnostics.tracer + ")",
      low == high ? low : low + " to " + high);
}

constexpr const char* kHowToRead =
    "Self time per sample, without called operations; × precedes the calls per iteration. Change: "
    "time per sample at the slowest size minus the fastest, as a share of the time of all "
    "operations.";

Paragraph dim(const std::string& text) {
  return Paragraph{{{text, Tone::dim}}};
}

// An implementation that the kernel library chose at some sizes only is a likely reason for a step.
List chosen_at_some(const Diagnostics& diagnostics) {
  List list;
  for (const OperationRow& row : diagnostics.primitives) {
    const std::vector<int64_t> present = sizes_of(row, diagnostics.sizes);
    if (present.empty() || present.size() == diagnostics.sizes.size()) continue;
    if (list.items.size() == kMostNotes) break;
    const std::string where =
        fmt::format(" ({}) runs at batch {} only.", row.kind.empty() ? "primitive" : row.kind,
                    enumerated(present));
    list.items.push_back({{{row.name, Tone::caution}, {where, Tone::plain}}, {}});
  }
  return list;
}

void add_table(Document& document, const char* title, const char* explained, TextTable table) {
  if (table.rows.empty()) return;
  document.emplace_back(Heading{2, title});
  if (explained != nullptr) document.push_back(dim(explained));
  document.emplace_back(std::move(table));
}

void add_absent(Document& document, const Diagnostics& diagnostics) {
  if (diagnostics.absent.empty()) return;
  document.emplace_back(Heading{2, "Not measured"});
  const auto field = [](const auto& each) { return document::KeyValue{each.first, each.second}; };
  document.emplace_back(document::KeyValues{base::mapped(diagnostics.absent, field)});
}

Document one_group(const findings::Group& group, bool explain) {
  const Diagnostics& diagnostics = *group.diagnostics;
  Document document = {Heading{1, group.label}};
  add_table(document, "The process at each batch size",
            explain ? "Per iteration, without a tracer except in the column traced. Imbalance: "
                      "time of the busiest thread divided by the mean of the requested threads."
                    : nullptr,
            sizes_table(diagnostics.sizes));
  const std::string traced = tracer_words(diagnostics);
  add_table(document, "Operators and kernels", explain ? kHowToRead : nullptr,
            operations_table(diagnostics.operations, diagnostics.sizes));
  if (!traced.empty() && !diagnostics.operations.empty()) document.push_back(dim(traced));
  add_table(document, "Primitives of the kernel library",
            explain ? "The implementations that the library chose (from its log). The operators "
                      "above include this time."
                    : nullptr,
            operations_table(diagnostics.primitives, diagnostics.sizes));
  if (List list = chosen_at_some(diagnostics); !list.items.empty()) {
    document.emplace_back(std::move(list));
  }
  add_absent(document, diagnostics);
  return document;
}

}  // namespace

Document diagnosis_section(const findings::Summary& summary) {
  Document document;
  for (const findings::Group& group : summary.groups) {
    if (!group.diagnostics) continue;
    const bool first = document.empty();
    if (first) document.emplace_back(Paragraph{{{kApart, Tone::plain}}});
    Document section = one_group(group, first);
    std::move(section.begin(), section.end(), std::back_inserter(document));
  }
  return document;
}

Document changing_operations(const findings::Group& group) {
  if (!group.diagnostics || group.diagnostics->sizes.size() < 2) return {};
  const Diagnostics& diagnostics = *group.diagnostics;
  const std::vector<OperationRow> changing = base::kept(
      diagnostics.operations, [](const OperationRow& row) { return row.change >= kNotableChange; });
  if (changing.empty()) return {};
  return {Heading{2, "Operations that change most between batch sizes"},
          operations_table(changing, diagnostics.sizes,
                           {.most = kMostInTerminal, .name = kNameInTerminal, .words = false}),
          dim("Self time in diagnostic visits, inflated by the tracer; × calls per iteration; "
              "change as a share of the time of all operations.")};
}

}  // namespace batchscope::report
