#include "gnuplot.hpp"

#include <fmt/format.h>

#include <system_error>

#include "batchscope/base/characters.hpp"
#include "batchscope/base/file.hpp"
#include "batchscope/base/subprocess.hpp"

namespace batchscope::charts {
namespace {

namespace fs = std::filesystem;
using base::clean;
using base::Error;
using base::ErrorKind;
using base::shorten;

constexpr base::Nanoseconds kTimeout = std::chrono::seconds(60);

std::string terminal(const Chart& chart, const std::string& format) {
  // Sizes of letters are points for the one and pixels for the other.
  return fmt::format(
      "set terminal {} noenhanced background rgb '#ffffff' font 'sans-serif,12' size {},{}",
      format == "png" ? "pngcairo" : "svg fontscale 1.25", chart.width, chart.height);
}

// The files are absolute: gnuplot takes a name that begins with '|' for a command.
struct Target {
  std::string script;
  std::vector<fs::path> files;
};

Target target(const std::vector<Chart>& charts, const fs::path& folder,
              const ChartOptions& options) {
  Target result;
  result.script = "set encoding utf8\nset decimalsign '.'\n";
  for (const Chart& chart : charts) {
    for (const char* format : {"png", "svg"}) {
      if (!(std::string_view(format) == "png" ? options.png : options.svg)) continue;
      const fs::path file = folder / fmt::format("{}.{}", chart.name, format);
      result.files.push_back(file);
      result.script += fmt::format("reset\n{}\nset output {}\n{}set output\n",
                                   terminal(chart, format), literal(file.string()), chart.commands);
    }
  }
  return result;
}

base::Result<void> prepare_folder(const fs::path& folder, std::span<const char* const> names) {
  std::error_code code;
  fs::create_directories(folder, code);
  if (code) {
    return Error{ErrorKind::failed, "the chart folder cannot be created: " + code.message(),
                 folder.string(), "name another one with --charts=DIR"};
  }
  // Earlier charts that there is no data for now would tell of something else.
  for (const char* name : names) {
    for (const char* format : {"png", "svg"}) {
      fs::remove(folder / fmt::format("{}.{}", name, format), code);
    }
  }
  return {};
}

base::Result<void> check_written(const Target& target, const base::CommandResult& result) {
  std::error_code code;
  for (const fs::path& file : target.files) {
    const bool written = fs::is_regular_file(file, code) && fs::file_size(file, code) > 0;
    if (result.exit_code == 0 && written) continue;
    const std::string said = shorten(clean(result.standard_error), 300);
    return Error{ErrorKind::failed,
                 said.empty() ? "gnuplot wrote no chart" : "gnuplot failed: " + said, file.string(),
                 "check that the folder can be written and that gnuplot is 5.4 or newer"};
  }
  return {};
}

// gnuplot's SVG names "sans-serif:Bold" as a font family, which browsers do not know.
base::Result<void> mend_fonts(const std::vector<fs::path>& files) {
  constexpr std::string_view kWrong = "font-family=\"sans-serif:Bold\"";
  constexpr std::string_view kRight = "font-family=\"sans-serif\" font-weight=\"bold\"";
  for (const fs::path& file : files) {
    if (file.extension() != ".svg") continue;
    auto text = base::read_file(file);
    if (!text) return text.error();
    for (auto at = text->find(kWrong); at != std::string::npos; at = text->find(kWrong, at)) {
      text->replace(at, kWrong.size(), kRight);
    }
    if (auto written = base::write_file_atomically(file, *text); !written) return written.error();
  }
  return {};
}

}  // namespace

base::Result<std::vector<fs::path>> draw_charts(const std::vector<Chart>& charts,
                                                std::span<const char* const> names,
                                                const fs::path& folder,
                                                const ChartOptions& options) {
  if (auto program = base::find_program(options.gnuplot); !program) {
    return Error{ErrorKind::failed, "gnuplot is needed to draw the charts and was not found",
                 "--charts", "apt-get install gnuplot-nox"};
  }
  if (auto prepared = prepare_folder(folder, names); !prepared) return prepared.error();
  const Target work = target(charts, fs::absolute(folder), options);
  // -d: no start-up file of the user's changes how the charts look.
  auto result = base::run_command({options.gnuplot, "-d", "-"}, work.script, kTimeout);
  if (!result) return std::move(result).error();
  if (auto written = check_written(work, *result); !written) return written.error();
  if (auto mended = mend_fonts(work.files); !mended) return mended.error();
  std::vector<fs::path> files;
  for (const fs::path& file : work.files) files.push_back(folder / file.filename());
  return files;
}

}  // namespace batchscope::charts
