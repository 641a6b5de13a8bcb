#include "batchscope/cluster/slurm.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <optional>

#include "batchscope/base/file.hpp"
#include "batchscope/base/strings.hpp"
#include "batchscope/cluster/parts.hpp"
#include "batchscope/cluster/refusals.hpp"
#include "submission.hpp"

namespace batchscope::cluster {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;

constexpr double kBetweenChecks = 1;      // at the parts, s
constexpr double kBetweenQuestions = 30;  // to the controller, s
constexpr double kForLateParts = 60;      // that file systems of clusters show late, s
constexpr int kSubmissions = 3;

class Launcher {
 public:
  Launcher(const SlurmOptions& options, const JobFile& job, const Surroundings& with)
      : options_(options), job_(job), with_(with), name_(array_name(options.folder)) {}

  Result<void> run();

 private:
  enum class Left { nothing, blocks };

  Result<void> submit(const std::vector<int>& missing);
  // Until all parts are there, or no task is left.
  Result<Left> watch();
  // One look at the parts; absent: blocks are missing.
  Result<std::optional<Left>> look();
  bool tasks_are_left() const;
  void cancel() const;
  Error gave_up(const std::vector<int>& missing) const;
  std::string end_of_log(int block) const;

  const SlurmOptions& options_;
  const JobFile& job_;
  const Surroundings& with_;
  std::string name_;
  std::size_t missing_ = 0;
  bool scouts_are_checked_ = false;
};

bool Launcher::tasks_are_left() const {
  const auto shown = with_.call({"squeue", "--noheader", "--name", name_, "--format", "%i"});
  // A controller that does not answer says nothing about the tasks.
  if (!shown || shown->exit_code != 0) return true;
  return !base::trim(shown->standard_output).empty();
}

void Launcher::cancel() const {
  static_cast<void>(with_.call({"scancel", "--name", name_}));
}

Result<void> Launcher::submit(const std::vector<int>& missing) {
  const auto rest =
      std::find_if(missing.begin(), missing.end(), [](int block) { return block >= kScouts; });
  std::string after;
  for (const std::vector<int>& blocks :
       {std::vector(missing.begin(), rest), std::vector(rest, missing.end())}) {
    if (blocks.empty()) continue;
    const auto done = with_.call(sbatch_line(options_, job_, name_, blocks, after));
    if (!done) return done.error();
    if (done->exit_code != 0) return refused_by_slurm(done->standard_error);
    after = std::string(base::trim(base::split(base::trim(done->standard_output), ';').front()));
  }
  return {};
}

Result<std::optional<Launcher::Left>> Launcher::look() {
  const std::vector<int> missing = missing_blocks(options_.folder, job_);
  if (missing.size() != missing_) {
    missing_ = missing.size();
    with_.tell(fmt::format("{} of {} blocks measured",
                           static_cast<std::size_t>(job_.blocks) - missing_, job_.blocks));
  }
  if (missing.empty()) return std::optional(Left::nothing);
  if (auto refused = find_refusal(options_.folder, job_); !refused) return refused.error();
  if (!scouts_are_checked_ && missing.front() >= kScouts) {
    if (auto known = history_for(options_.folder, job_, kScouts); !known) return known.error();
    scouts_are_checked_ = true;
  }
  return std::optional<Left>();
}

Result<Launcher::Left> Launcher::watch() {
  double since_question = 0;
  std::optional<double> waited;  // since no task is left
  while (!waited || *waited < kForLateParts) {
    if (!with_.pause(kBetweenChecks)) return Error{ErrorKind::interrupted, "interrupted", "", ""};
    const auto seen = look();
    if (!seen) return seen.error();
    if (*seen) return **seen;
    since_question += kBetweenChecks;
    if (waited) *waited += kBetweenChecks;
    if (waited || since_question < kBetweenQuestions) continue;
    since_question = 0;
    if (!tasks_are_left()) waited = 0;
  }
  return Left::blocks;
}

std::string Launcher::end_of_log(int block) const {
  constexpr std::size_t kLines = 3;
  const auto text = base::read_file(log_path(options_, block));
  if (!text) return fmt::format("block {} has no log: do the nodes see this folder?", block);
  auto lines = base::split(base::trim(*text), '\n');
  if (lines.size() > kLines) lines.erase(lines.begin(), lines.end() - kLines);
  return fmt::format("block {}: {}", block, fmt::join(lines, " | "));
}

Error Launcher::gave_up(const std::vector<int>& missing) const {
  constexpr std::size_t kLogs = 3;
  std::vector<std::string> logs;
  for (std::size_t i = 0; i < std::min(missing.size(), kLogs); ++i) {
    logs.push_back(end_of_log(missing[i]));
  }
  return {ErrorKind::failed,
          fmt::format("no part of block {} after {} submissions; {}", fmt::join(missing, ", "),
                      kSubmissions, fmt::join(logs, "; ")),
          options_.folder.string(), "see its folder logs, then run the same command again"};
}

Result<void> Launcher::run() {
  if (tasks_are_left()) cancel();
  forget_refusals(options_.folder);
  std::error_code ignored;
  std::filesystem::create_directories(log_path(options_, 0).parent_path(), ignored);
  std::vector<int> missing = missing_blocks(options_.folder, job_);
  for (int i = 0; i < kSubmissions && !missing.empty(); ++i) {
    if (auto submitted = submit(missing); !submitted) {
      cancel();
      return submitted;
    }
    const auto left = watch();
    if (!left) {
      cancel();
      return left.error();
    }
    missing = missing_blocks(options_.folder, job_);
  }
  return missing.empty() ? Result<void>() : gave_up(missing);
}

}  // namespace

Result<void> measure_on_slurm(const SlurmOptions& options, const JobFile& job,
                              const Surroundings& with) {
  return Launcher(options, job, with).run();
}

}  // namespace batchscope::cluster
