#include <fmt/format.h>

#include <utility>

#include "batchscope/base/file.hpp"
#include "batchscope/monitor/outputs.hpp"

namespace batchscope::monitor {
namespace {

std::string to_line(const watch::ActiveFinding& active) {
  const std::string ended =
      active.ended_ns ? fmt::format(R"(,"ended_ns":{})", *active.ended_ns) : std::string();
  return fmt::format(R"({{"type":"finding","since_ns":{}{},"finding":{}}})", active.since_ns, ended,
                     findings::to_json(active.finding));
}

class LogSink : public Sink {
 public:
  explicit LogSink(base::AppendFile file) : file_(std::move(file)) {}

  std::string_view name() const override { return "the log"; }

  base::Result<void> take(const Tick& tick) override {
    std::string lines;
    for (const auto& step : tick.steps) lines += telemetry::to_line(step) + '\n';
    lines += telemetry::to_line(tick.sample);
    for (const auto& change : tick.changes) lines += '\n' + to_line(change);
    return file_.append_line(lines);
  }

 private:
  base::AppendFile file_;
};

base::Result<base::AppendFile> opened(const std::filesystem::path& path, bool overwrite) {
  return overwrite ? base::AppendFile::open(path, 0) : base::AppendFile::create(path);
}

}  // namespace

base::Result<std::unique_ptr<Sink>> record_to(const std::filesystem::path& path, bool overwrite,
                                              const telemetry::LogHeader& header) {
  auto file = opened(path, overwrite);
  if (!file) return std::move(file).error();
  if (auto written = file->append_line(telemetry::to_line(header)); !written) {
    return std::move(written).error();
  }
  return std::unique_ptr<Sink>(std::make_unique<LogSink>(*std::move(file)));
}

}  // namespace batchscope::monitor
