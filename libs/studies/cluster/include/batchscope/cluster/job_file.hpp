#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "batchscope/base/result.hpp"
#include "batchscope/schema/run_file.hpp"

// Read first: a job is a folder. job.json says what is measured; whoever makes a block of it puts a
// part there, parts/INDEX.jsonl, which is a run file; merge() makes one run of the parts.
namespace batchscope::cluster {

inline constexpr int kJobVersion = 1;
// Blocks 0 and 1 need no other: they show all others how long a model warms up and what fails.
inline constexpr int kScouts = 2;

// A file that goes with the job, since the nodes may not see where it was: a pickled model.
struct CarriedFile {
  std::string name;
  std::string base64;
};

struct JobFile {
  int job_version = kJobVersion;
  int blocks = 0;  // that are wanted in all; header.plan.blocks when the job was made
  // As a run file begins. Its machine is the one that made the job.
  schema::Header header;
  std::vector<schema::RunConfig> configs;
  std::map<std::string, std::string> environment;  // variables that change times, for every block
  std::vector<std::string> interpreter;
  std::string folder;  // that relative paths of models begin in
  std::vector<CarriedFile> files;
};

// Errors: input (it cannot be read, is no job, is of a newer version).
base::Result<JobFile> read_job(const std::filesystem::path& folder);
// Replaces job.json as a whole. Errors: failed.
base::Result<void> write_job(const std::filesystem::path& folder, const JobFile& job);

std::filesystem::path job_path(const std::filesystem::path& folder);
std::filesystem::path part_path(const std::filesystem::path& folder, int block);

// A run that has measured nothing yet.
schema::RunFile empty_run(const JobFile& job);

// The commands that measure its blocks one after another and merge them, a line each.
std::string how_to_run(const std::filesystem::path& folder, const JobFile& job);

// What a job that is there already lacks of what is asked for now: nothing but more blocks. Errors:
// usage, naming what differs.
base::Result<void> check_same_job(const JobFile& there, const JobFile& asked);

}  // namespace batchscope::cluster
