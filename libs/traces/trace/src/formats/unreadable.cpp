#include "batchscope/trace/unreadable.hpp"

#include <algorithm>
#include <array>
#include <system_error>

#include "batchscope/base/strings.hpp"

namespace batchscope::trace {
namespace {

using base::contains_text;

constexpr std::string_view kRecordKineto =
    "it contains no kernel times: record a trace and give that: "
    "prof.export_chrome_trace(\"trace.json\")";
constexpr std::string_view kExportNsys = "nsys export --type=sqlite --output=STEM.sqlite FILE";
constexpr std::string_view kUnpack = "mkdir STEM && tar -xf FILE -C STEM && batchscope trace STEM";
constexpr std::string_view kConvertXplane =
    "pip install xprof && python -c \"from xprof.convert import raw_to_tool_data as r; d = "
    "r.xspace_to_tool_data(['FILE'], 'trace_viewer', {})[0]; open('STEM.trace.json', 'wb')"
    ".write(d if isinstance(d, bytes) else d.encode())\"";

// By its name.
constexpr std::array<UnreadableFormat, 18> kByName{{
    {"a report of Nsight Systems", ".nsys-rep", kExportNsys, ".sqlite", true},
    {"a report of Nsight Systems", ".qdrep", kExportNsys, ".sqlite", true},
    {"an unfinished recording of Nsight Systems", ".qdstrm",
     "QdstrmImporter --input-file FILE && nsys export --type=sqlite STEM.nsys-rep", ".sqlite"},
    {"a report of Nsight Compute: counters of single kernels, without a timeline", ".ncu-rep",
     "ncu --import FILE --page details; for a timeline, record nsys profile --trace=cuda,nvtx", ""},
    {"a profile of XLA (JAX, TensorFlow)", ".xplane.pb", kConvertXplane, ".trace.json.gz"},
    {"a snapshot of PyTorch's allocator", ".pickle",
     "python -m torch.cuda._memory_viz trace_plot FILE -o STEM.html; for a timeline, "
     "prof.export_chrome_trace(\"trace.json\")",
     ""},
    {"a snapshot of PyTorch's allocator", ".pkl",
     "python -m torch.cuda._memory_viz trace_plot FILE -o STEM.html; for a timeline, "
     "prof.export_chrome_trace(\"trace.json\")",
     ""},
    {"a memory timeline of PyTorch", "memory_timeline.raw", kRecordKineto, ""},
    {"a memory timeline of PyTorch", ".raw.json.gz", kRecordKineto, ""},
    {"a memory timeline of PyTorch", ".raw.json", kRecordKineto, ""},
    {"an archive (tar)", ".tar.gz", kUnpack, ""},
    {"an archive (tar)", ".tgz", kUnpack, ""},
    {"an archive (tar)", ".tar", kUnpack, ""},
    {"an archive (tar)", ".tar.zst", kUnpack, ""},
    {"an archive (zip)", ".zip", "unzip FILE -d STEM && batchscope trace STEM", ""},
    {"a trace of Perfetto", ".pftrace", "traceconv json FILE STEM.json", ".json"},
    {"a trace of Perfetto", ".perfetto-trace", "traceconv json FILE STEM.json", ".json"},
    {"a database of rocprofv3 (rocpd)", "_results.db",
     "record as JSON: rocprofv3 --sys-trace --output-format json -- PROGRAM", ".json"},
}};

std::string_view without_space(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r\n");
  return first == std::string_view::npos ? std::string_view() : text.substr(first);
}

bool is_tar(std::string_view head) {
  constexpr size_t kMagicAt = 257;
  return head.size() >= kMagicAt + 5 && head.substr(kMagicAt, 5) == "ustar";
}

// Protocols 2 to 5, which begin with their number.
bool is_pickle(std::string_view head) {
  return head.size() > 2 && head[0] == '\x80' && head[1] >= 2 && head[1] <= 5;
}

// Rows of numbers: [[time, action, bytes, category], ...].
bool is_memory_timeline(std::string_view head) {
  const std::string_view text = without_space(head);
  return text.starts_with('[') && without_space(text.substr(1)).starts_with('[');
}

bool is_execution_trace(std::string_view head) {
  return without_space(head).starts_with('{') && contains_text(head, "\"schema\"") &&
         (contains_text(head, "chakra") || contains_text(head, "\"nodes\""));
}

struct ByContent {
  bool (*is)(std::string_view head);
  UnreadableFormat format;
};

// By its first bytes, whatever it is called.
constexpr std::array<ByContent, 9> kByContent{{
    {is_tar, {"an archive (tar)", "", kUnpack, ""}},
    {[](std::string_view head) { return head.starts_with("PK\x03\x04"); },
     {"an archive (zip)", "", "unzip FILE -d STEM && batchscope trace STEM", ""}},
    {[](std::string_view head) { return head.starts_with("NVR"); },
     {kByName[3].what, "", kByName[3].command, ""}},
    {is_pickle,
     {"a Python pickle, such as a snapshot of PyTorch's allocator", "", kByName[5].command, ""}},
    {is_memory_timeline, {"a memory timeline of PyTorch", "", kRecordKineto, ""}},
    {is_execution_trace,
     {"an execution trace of PyTorch: operators without times", "", kRecordKineto, ""}},
    {[](std::string_view head) {
       return head.starts_with(
           "\xfd"
           "7zXZ");
     },
     {"compressed by xz", "", "xz --decompress --keep FILE", ""}},
    {[](std::string_view head) { return head.starts_with("BZh"); },
     {"compressed by bzip2", "", "bunzip2 --keep FILE", ""}},
    {[](std::string_view head) { return head.starts_with("PERFILE2"); },
     {"a recording of perf: CPUs only", "",
      "for a device timeline, record nsys profile --trace=cuda,nvtx, or torch.profiler", ""}},
}};

void replace(std::string& text, std::string_view word, const std::string& by) {
  for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + by.size())) {
    text.replace(at, word.size(), by);
  }
}

std::string stem_of(const UnreadableFormat& format, const std::filesystem::path& file) {
  std::string stem = file.string();
  if (!format.suffix.empty() && stem.ends_with(format.suffix) &&
      stem.size() > format.suffix.size()) {
    stem.resize(stem.size() - format.suffix.size());
    return stem;
  }
  for (std::filesystem::path rest = file; rest.has_extension();) {
    rest.replace_extension();
    stem = rest.string();
  }
  return stem == file.string() ? stem + ".unpacked" : stem;
}

}  // namespace

const UnreadableFormat* unreadable_format(std::string_view name, std::string_view head) {
  for (const UnreadableFormat& each : kByName) {
    if (name.ends_with(each.suffix)) return &each;
  }
  for (const ByContent& each : kByContent) {
    if (each.is(head)) return &each.format;
  }
  return nullptr;
}

std::string command_for(const UnreadableFormat& format, const std::filesystem::path& file) {
  std::string command(format.command);
  replace(command, "FILE", file.string());
  replace(command, "STEM", stem_of(format, file));
  return command;
}

std::filesystem::path readable_beside(const UnreadableFormat& format,
                                      const std::filesystem::path& file) {
  if (format.readable.empty()) return {};
  std::error_code ignored;
  const std::filesystem::path beside = stem_of(format, file) + std::string(format.readable);
  return std::filesystem::is_regular_file(beside, ignored) ? beside : std::filesystem::path();
}

}  // namespace batchscope::trace
