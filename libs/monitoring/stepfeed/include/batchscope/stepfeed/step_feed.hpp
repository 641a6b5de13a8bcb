#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "batchscope/base/result.hpp"
#include "batchscope/telemetry/sample.hpp"

// Steps that any program tells, as JSON lines; docs/reference/steps.md has the format.
namespace batchscope::stepfeed {

// A day: what takes longer is no step but a mistake in the unit.
inline constexpr double kLongestStepSeconds = 86400;

class LineSource;
class StepReader;

struct FeedCounts {
  int64_t steps = 0;
  int64_t bad_lines = 0;       // that are no step, or longer than 64 KiB; passed over
  std::string first_problem;   // of those: "seconds is missing"
  int64_t unknown_fields = 0;  // passed over
  int64_t refused_clients = 0;
};

// Reads what clients write to a socket, or what is appended to a file. What comes in is untrusted:
// memory is bounded, and a client that writes nonsense, too much or nothing hinders no other.
class StepFeed {
 public:
  static constexpr std::size_t kMostClients = 64;

  // A Unix stream socket that only this user may open (0600). A stream, because a line may be
  // longer than a datagram, a client that writes faster than is read waits instead of losing
  // steps, and a shell can write to it. One that a dead process left is replaced. Errors: usage
  // (its path is too long), failed (another process listens there, it is no socket or another
  // user's, the folder cannot be written).
  static base::Result<StepFeed> listen(const std::filesystem::path& socket);
  // A file that grows, from its beginning, or the last 16 MiB of it: JSON lines, or the log of a
  // framework (step_log.hpp). It need not be there yet; it
  // may be cut off and begun anew, or be replaced. Errors: failed (it is no regular file, such as a
  // symbolic link).
  static base::Result<StepFeed> follow(const std::filesystem::path& file);

  StepFeed(StepFeed&&) noexcept;
  StepFeed& operator=(StepFeed&&) noexcept;
  ~StepFeed();  // a socket's name is taken away, if it is still this one's

  // Whole lines that came since the last call, at most so much of each client at a time that all
  // get their turn; never blocks. `now_ns` is the time of steps that tell none.
  std::vector<telemetry::TrainingStep> poll(int64_t now_ns);
  const FeedCounts& counts() const;

 private:
  StepFeed(std::unique_ptr<LineSource> source, std::unique_ptr<StepReader> formats);

  std::unique_ptr<LineSource> source_;
  std::unique_ptr<StepReader> formats_;  // of a file; null: JSON lines alone
  FeedCounts counts_;
};

}  // namespace batchscope::stepfeed
