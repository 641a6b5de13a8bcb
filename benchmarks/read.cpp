// Reading and analysing a run file of 1,000,000 samples: time and memory of the whole program, and
// of the reader alone against a parser that builds the whole document.

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "batchscope/base/file.hpp"
#include "batchscope/schema/run_file.hpp"
#include "batchscope/stats/rng.hpp"
#include "pairs.hpp"

namespace {

using namespace batchscope;
namespace fs = std::filesystem;

// `visits` visits that hold 1,000,000 samples together, over 8 batch sizes.
std::string run_file_text(int visits) {
  constexpr int kSamples = 1'000'000;
  constexpr int kSizes = 8;
  stats::Rng rng(1);
  schema::Header header;
  header.models.emplace_back().name = "made-up";
  std::string text = schema::header_line(header) + "\n";
  for (int size = 0; size < kSizes; ++size) {
    schema::RunConfig config;
    config.engine = "synthetic";
    config.model = "made-up";
    config.shape.batch_size = size + 1;
    text += schema::config_line(size, config) + "\n";
  }
  for (int i = 0; i < visits; ++i) {
    schema::Visit visit;
    visit.config = i % kSizes;
    visit.block = i / kSizes;
    visit.order = i % kSizes;
    visit.clock = schema::ClockKind::steady;
    for (int k = 0; k < kSamples / visits; ++k) {
      visit.samples_ns.push_back(
          std::llround(1e6 * (visit.config + 1) * std::exp(0.02 * rng.normal())));
    }
    text += schema::visit_line(visit) + "\n";
  }
  return text + schema::end_line({schema::EndReason::blocks_done, 1, 1}) + "\n";
}

struct Cost {
  double wall_s = 0;
  double rss_mb = 0;
};

// The whole program, as a user starts it.
Cost run_analyze(const fs::path& program, const fs::path& run) {
  Cost cost;
  rusage usage{};
  cost.wall_s = 1e-9 * static_cast<double>(bench::time_ns([&] {
                  const pid_t child = vfork();
                  if (child == 0) {
                    execl(program.c_str(), "batchscope", "analyze", run.c_str(), "--format", "csv",
                          "-o", "/dev/null", "--overwrite", nullptr);
                    _exit(127);
                  }
                  int status = 0;
                  wait4(child, &status, 0, &usage);
                }));
  cost.rss_mb = static_cast<double>(usage.ru_maxrss) / 1024;
  return cost;
}

void bench_layout(const fs::path& program, const fs::path& folder, int visits) {
  const fs::path path = folder / fmt::format("{}.jsonl", visits);
  if (!base::write_file_atomically(path, run_file_text(visits))) return;
  Cost worst;
  for (int i = 0; i < 7; ++i) {
    const Cost cost = run_analyze(program, path);
    worst = {std::max(worst.wall_s, cost.wall_s), std::max(worst.rss_mb, cost.rss_mb)};
  }
  const std::string text = base::read_file(path).value_or("");
  const auto ours = [&] { static_cast<void>(schema::parse_run_file(text, "bench")); };
  const auto document = [&] {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      const auto parsed = nlohmann::json::parse(line);
      if (parsed.is_discarded()) return;
    }
  };
  const bench::PairedTimes times = bench::time_pairs(10, 1, ours, document);
  fmt::print("| {} visits of {} | {:.2f} | {:.0f} | {:.3f} [{:.3f}, {:.3f}] | {:.0f} |\n", visits,
             1'000'000 / visits, worst.wall_s, worst.rss_mb, times.ratio, times.ratio_low,
             times.ratio_high, static_cast<double>(text.size()) / 1e6 / (1e-9 * times.a_ns));
}

}  // namespace

int main(int argc, char** argv) {
  const fs::path program =
      argc > 1 ? fs::path(argv[1]) : fs::path(argv[0]).parent_path() / "batchscope";
  const fs::path folder = fs::temp_directory_path() / fmt::format("batchscope-bench-{}", getpid());
  fmt::print("## analyze on 1,000,000 samples\n\n");
  fmt::print(
      "Whole program, worst of 7; the reader alone as a ratio to building each line's "
      "document.\n\n");
  fmt::print(
      "| layout | wall, s | peak memory, MB | reader / document (95 %) | reader, MB/s "
      "|\n|---|---|---|---|---|\n");
  for (const int visits : {8, 96, 1'000, 100'000}) bench_layout(program, folder, visits);
  fmt::print("\nTarget: at most 1 s and 200 MB.\n\n");
  std::error_code ignored;
  fs::remove_all(folder, ignored);
  return 0;
}
