#include "batchscope/charts/charts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>
#include <utility>

#include "batchscope/base/characters.hpp"
#include "batchscope/base/counted.hpp"
#include "batchscope/base/file.hpp"
#include "batchscope/base/subprocess.hpp"
#include "batchscope/charts/pictures.hpp"

namespace batchscope::charts {
namespace {

namespace fs = std::filesystem;
using base::Error;
using base::ErrorKind;
using base::Result;

constexpr base::Nanoseconds kTimeout = std::chrono::seconds(60);

struct Picture {
  std::string name;
  std::string svg;  // empty: there is no data for it
};
using Pictures = std::vector<Picture>;

Pictures answers(const findings::Summary& summary, std::optional<double> budget_ms) {
  Pictures all{{"tuning_latency", ""}, {"tuning_memory", ""}, {"answer", ""}};
  const auto put = [&](const Scatter& scatter) {
    for (Picture& each : all) {
      if (each.name == scatter.id) each.svg = picture(scatter);
    }
  };
  // Of several searches the page has all.
  std::vector<Scatter> searched;
  if (!summary.tunings.empty()) searched = tuning_scatters(summary.tunings.front());
  for (const Scatter& scatter : searched) put(scatter);
  const auto answer = searched.empty() ? answer_scatter(summary, budget_ms) : std::nullopt;
  if (answer) put(*answer);
  return all;
}

// In the order of the files.
Pictures pictures_of(const findings::Summary& summary, const ChartOptions& options) {
  Pictures all = answers(summary, options.latency_budget_ms);
  std::vector<SizeFigure> sizes = size_figures(summary);
  for (SizeFigure& figure : memory_figures(summary.groups)) sizes.push_back(std::move(figure));
  if (auto figure = residual_figure(summary)) sizes.push_back(*std::move(figure));
  const auto add = [&](const char* name) {
    const auto found = std::find_if(sizes.begin(), sizes.end(), [&](const SizeFigure& figure) {
      return figure.texts.id == name;
    });
    all.push_back({name, found == sizes.end() ? "" : picture(*found)});
  };
  for (const char* name : {"forward_pass_time", "forward_pass_efficiency",
                           "forward_time_per_sample", "relative_slowdown", "residual"}) {
    add(name);
  }
  const auto boxes = box_figure(summary.groups);
  all.push_back({"forward_pass_boxplot", boxes ? picture(*boxes) : ""});
  for (const char* name : {"throughput", "memory"}) add(name);
  const std::vector<StackFigure> stacks = stack_figures(summary.groups);
  all.push_back({"time_breakdown", stacks.empty() ? "" : picture(stacks)});
  return all;
}

// Earlier charts that there is no data for now would tell of something else.
Result<void> prepare_folder(const fs::path& folder, const Pictures& pictures) {
  std::error_code code;
  fs::create_directories(folder, code);
  if (code) {
    return Error{ErrorKind::failed, "cannot create the chart folder: " + code.message(),
                 folder.string(), "use another folder: --charts=DIR"};
  }
  for (const Picture& each : pictures) {
    for (const char* ending : {".png", ".svg"}) fs::remove(folder / (each.name + ending), code);
  }
  return {};
}

Result<void> convert(const std::string& converter, const fs::path& svg, const fs::path& png) {
  const auto done = base::run_command(
      {converter, "--output", fs::absolute(png).string(), fs::absolute(svg).string()}, "",
      kTimeout);
  if (!done) return done.error();
  std::error_code code;
  if (done->exit_code == 0 && fs::is_regular_file(png, code)) return {};
  const std::string why = base::shorten(base::clean(done->standard_error), 300);
  return Error{ErrorKind::failed, "rsvg-convert failed" + (why.empty() ? why : ": " + why),
               png.string(), "open the .svg, which is complete, or repair rsvg-convert"};
}

Result<std::vector<fs::path>> write_pictures(const Pictures& pictures, const fs::path& folder,
                                             const ChartOptions& options) {
  if (auto prepared = prepare_folder(folder, pictures); !prepared) return prepared.error();
  const bool has_converter = base::find_program(options.converter).has_value();
  std::vector<fs::path> files;
  for (const Picture& each : pictures) {
    if (each.svg.empty()) continue;
    const fs::path svg = folder / (each.name + ".svg"), png = folder / (each.name + ".png");
    if (auto written = base::write_file_atomically(svg, each.svg); !written) return written.error();
    files.push_back(svg);
    if (!has_converter) continue;
    if (auto made = convert(options.converter, svg, png); !made) return made.error();
    files.push_back(png);
  }
  return files;
}

}  // namespace

Result<std::vector<fs::path>> write_charts(const findings::Summary& summary, const fs::path& folder,
                                           const ChartOptions& options) {
  const Pictures pictures = pictures_of(summary, options);
  const bool any = std::any_of(pictures.begin(), pictures.end(),
                               [](const Picture& each) { return !each.svg.empty(); });
  if (any) return write_pictures(pictures, folder, options);
  return Error{ErrorKind::failed, "nothing to draw: the run has no measured configuration",
               "--charts", "look at the warnings of the analysis"};
}

Result<std::vector<fs::path>> write_plan_charts(const planning::CapacityPlan& plan,
                                                const fs::path& folder,
                                                const ChartOptions& options) {
  if (const auto scatter = plan_scatter(plan)) {
    return write_pictures({{scatter->id, picture(*scatter)}}, folder, options);
  }
  return Error{ErrorKind::failed, "nothing to draw: there is no simulated load", "--charts",
               "use a rate that the instances can sustain"};
}

std::string what_was_written(const std::vector<fs::path>& files, const fs::path& folder) {
  const auto pictures = std::count_if(
      files.begin(), files.end(), [](const fs::path& file) { return file.extension() == ".svg"; });
  const bool converted = static_cast<std::size_t>(pictures) < files.size();
  return fmt::format("{} in {}{}", base::counted(pictures, "chart"), folder.string(),
                     converted ? ", as SVG and PNG"
                               : ", as SVG (PNG needs rsvg-convert: apt-get install librsvg2-bin)");
}

}  // namespace batchscope::charts
