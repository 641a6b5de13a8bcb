#include "batchscope/trace/formats.hpp"

#include <algorithm>
#include <array>

#include "formats/rocprof.hpp"
#include "kineto/read_kineto.hpp"
#include "nsys/read_nsys.hpp"
#include "rocprof/read_rocprof.hpp"

namespace batchscope::trace {
namespace {

constexpr std::array<std::string_view, 3> kJson{".json", ".json.gz", ".json.zst"};
constexpr std::array<std::string_view, 1> kSqlite{".sqlite"};

constexpr std::array kFormats{
    TraceFormat{"SQLite exports of Nsight Systems", kSqlite,
                [](std::string_view head) { return head.starts_with(kSqliteMagic); }, nullptr,
                read_nsys},
    TraceFormat{"JSON of rocprofv3", kJson, is_rocprof, read_rocprof},
    TraceFormat{"traces of torch.profiler, and others of Chrome's format", kJson,
                [](std::string_view) { return true; }, read_kineto}};

}  // namespace

std::span<const TraceFormat> formats() {
  return kFormats;
}

bool is_named_as_a_trace(const std::filesystem::path& file) {
  const std::string name = file.filename().string();
  return std::ranges::any_of(kFormats, [&name](const TraceFormat& format) {
    return std::ranges::any_of(format.endings,
                               [&name](std::string_view end) { return name.ends_with(end); });
  });
}

std::string endings() {
  std::string all;
  for (auto format = kFormats.rbegin(); format != kFormats.rend(); ++format) {
    for (const std::string_view end : format->endings) {
      if ((all + ',').find(std::string(end) + ',') != std::string::npos) continue;
      all += (all.empty() ? "" : ", ") + std::string(end);
    }
  }
  return all;
}

}  // namespace batchscope::trace
