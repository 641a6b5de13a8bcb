#include "batchscope/advice/named_traces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>
#include <system_error>

#include "batchscope/findings/wording.hpp"
#include "batchscope/trace/reader.hpp"

namespace batchscope::advice {
namespace {

namespace fs = std::filesystem;

NamedTrace read_trace(const fs::path& file) {
  NamedTrace named;
  named.file = file.generic_string();
  std::error_code none;
  // What is no file, a pipe say, might never end.
  if (!fs::is_regular_file(file, none)) {
    named.problem =
        none || !fs::exists(file, none) ? "the file does not exist" : "it is not a file";
    return named;
  }
  const auto trace = trace::TraceReader().read(file);
  if (trace) {
    named.summary = summarise(*trace);
  } else {
    named.problem = trace.error().what;
  }
  return named;
}

// A run file from elsewhere is not to have files read from anywhere.
bool stays_beside(const fs::path& name) {
  return name.is_relative() &&
         std::none_of(name.begin(), name.end(), [](const fs::path& part) { return part == ".."; });
}

std::string words_of(const schema::RunConfig& config) {
  const int64_t size = config.shape.batch_size;
  return fmt::format("{}, {}", findings::batches(std::span(&size, 1)), findings::label(config));
}

NamedTrace trace_of_run(const schema::RunFile& run, int config, const fs::path& folder,
                        const std::string& name) {
  NamedTrace named;
  if (stays_beside(name)) {
    named = read_trace(folder / name);
  } else {
    named.problem = "the run file names a path outside its folder";
  }
  named.file = name;
  const auto index = static_cast<std::size_t>(config);
  if (index < run.configs.size()) named.of = words_of(run.configs[index]);
  return named;
}

}  // namespace

std::vector<NamedTrace> named_traces(const std::vector<schema::RunFile>& runs,
                                     const std::vector<std::string>& paths,
                                     const std::vector<fs::path>& elsewhere) {
  std::vector<NamedTrace> traces;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    std::map<int, std::string> latest;
    for (const schema::Visit& visit : runs[i].visits) {
      const bool has = visit.diagnosis && !visit.diagnosis->trace_file.empty();
      if (has) latest[visit.config] = visit.diagnosis->trace_file;
    }
    const fs::path folder = i < paths.size() ? fs::path(paths[i]).parent_path() : fs::path();
    for (const auto& [config, name] : latest) {
      traces.push_back(trace_of_run(runs[i], config, folder, name));
    }
  }
  for (const fs::path& file : elsewhere) traces.push_back(read_trace(file));
  return traces;
}

}  // namespace batchscope::advice
