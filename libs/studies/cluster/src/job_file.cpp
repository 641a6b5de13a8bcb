#include "batchscope/cluster/job_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "batchscope/base/counted.hpp"
#include "batchscope/base/file.hpp"
#include "batchscope/base/strings.hpp"
#include "batchscope/schema/describe.hpp"
#include "batchscope/schema/json_line.hpp"
#include "batchscope/schema/tables.hpp"

namespace batchscope::schema {

template <>
const Table& table_of<cluster::CarriedFile>() {
  using cluster::CarriedFile;
  static constexpr std::array kFields = {field<&CarriedFile::name>("name", {.required = true}),
                                         field<&CarriedFile::base64>("base64", {.required = true})};
  static constexpr Table kTable{kFields};
  return kTable;
}

template <>
const Table& table_of<cluster::JobFile>() {
  using cluster::JobFile;
  static constexpr std::array kFields = {
      field<&JobFile::job_version>("job_version", {.required = true, .least = 1}),
      field<&JobFile::blocks>("blocks", {.required = true, .least = 1, .most = kMostBlocks}),
      field<&JobFile::header>("header", {.required = true}),
      field<&JobFile::configs>("configs", {.required = true}),
      field<&JobFile::environment>("environment", {.omit = Omit::empty}),
      field<&JobFile::interpreter>("interpreter", {.omit = Omit::empty}),
      field<&JobFile::folder>("folder", {.omit = Omit::empty}),
      field<&JobFile::files>("files", {.omit = Omit::empty})};
  static constexpr Table kTable{kFields};
  return kTable;
}

}  // namespace batchscope::schema

namespace batchscope::cluster {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;

Error no_job(const std::filesystem::path& path, const std::string& problem) {
  return {ErrorKind::input, "is not a job" + (problem.empty() ? "" : ": " + problem), path.string(),
          "make one with batchscope profile --job"};
}

Error differs(std::string_view what, std::string_view then, std::string_view now) {
  return {ErrorKind::usage, fmt::format("the job was made with {}, not {}", then, now),
          std::string(what), "name another folder with --job: a job can only get more blocks"};
}

// Fields of one value each; lists are of parts that a job does not have (MeasurementPlan::only).
template <class Struct>
Result<void> check_same(const Struct& then, const Struct& now) {
  for (const schema::Field& field : schema::table_of<Struct>().fields) {
    if (field.kind == schema::FieldKind::texts) continue;
    const auto was = schema::text_of(field, &then), is = schema::text_of(field, &now);
    if (was == is) continue;
    const auto& flag = field.rules.setting.flag;
    return differs(flag.empty() ? field.name : flag, was.value_or("none"), is.value_or("none"));
  }
  return {};
}

using Texts = std::map<std::string, std::string>;

Result<void> check_same(const Texts& then, const Texts& now) {
  const auto text_in = [](const Texts& texts, const std::string& name) {
    const auto found = texts.find(name);
    return found == texts.end() ? std::string("its default") : found->second;
  };
  Texts all = then;
  all.insert(now.begin(), now.end());
  for (const auto& [name, value] : all) {
    const std::string was = text_in(then, name), is = text_in(now, name);
    if (was != is) return differs(name, was, is);
  }
  return {};
}

Result<void> check_same_models(const schema::Header& then, const schema::Header& now) {
  for (std::size_t i = 0; i < std::max(then.models.size(), now.models.size()); ++i) {
    const schema::ModelInfo was = i < then.models.size() ? then.models[i] : schema::ModelInfo{};
    const schema::ModelInfo is = i < now.models.size() ? now.models[i] : schema::ModelInfo{};
    if (was.name != is.name) return differs("-m", was.name, is.name);
    if (was.hash != is.hash) return differs("the file of " + is.name, was.hash, is.hash);
  }
  return {};
}

}  // namespace

std::filesystem::path job_path(const std::filesystem::path& folder) {
  return folder / "job.json";
}

std::filesystem::path part_path(const std::filesystem::path& folder, int block) {
  return folder / "parts" / fmt::format("{}.jsonl", block);
}

Result<JobFile> read_job(const std::filesystem::path& folder) {
  const std::filesystem::path path = job_path(folder);
  const auto text = base::read_file(path);
  if (!text) return text.error();
  JobFile job;
  schema::JsonLine json;
  std::string problem;
  if (!json.take(base::trim(*text)) || json.type() != "job" || !json.read(job, problem)) {
    return no_job(path, "");
  }
  // A later version may have changed what else is wrong.
  if (job.job_version > kJobVersion || job.header.schema_version > schema::kSchemaVersion) {
    return Error{ErrorKind::input, "was written by a newer batchscope", path.string(),
                 "update batchscope on this machine"};
  }
  if (!problem.empty()) return no_job(path, problem);
  return job;
}

Result<void> write_job(const std::filesystem::path& folder, const JobFile& job) {
  return base::write_file_atomically(job_path(folder), schema::json_line("job", job) + "\n");
}

schema::RunFile empty_run(const JobFile& job) {
  schema::RunFile run;
  run.header = job.header;
  run.configs = job.configs;
  return run;
}

std::string how_to_run(const std::filesystem::path& folder, const JobFile& job) {
  const std::string path = folder.string();
  return fmt::format(
      "{0}: {1} of {2}. Measure 0 and 1 first, then the others, on any machines that see it:\n"
      "  seq 0 {3} | xargs -n1 batchscope block {0}\n"
      "  batchscope merge {0} -o run.jsonl\n",
      path, base::counted(job.blocks, "block"), base::counted(job.configs.size(), "configuration"),
      job.blocks - 1);
}

Result<void> check_same_job(const JobFile& there, const JobFile& asked) {
  schema::MeasurementPlan plan = asked.header.plan;
  plan.blocks = there.header.plan.blocks;
  if (asked.blocks < there.blocks) {
    return differs("--blocks", fmt::to_string(there.blocks), fmt::to_string(asked.blocks));
  }
  if (asked.header.seed != there.header.seed) {
    return differs("--seed", fmt::to_string(there.header.seed), fmt::to_string(asked.header.seed));
  }
  if (asked.header.tool_version != there.header.tool_version) {
    return differs("batchscope", there.header.tool_version, asked.header.tool_version);
  }
  if (auto same = check_same(there.header.plan, plan); !same) return same;
  if (auto same = check_same(there.header.axes, asked.header.axes); !same) return same;
  if (auto same = check_same_models(there.header, asked.header); !same) return same;
  if (there.configs != asked.configs) return differs("the configurations", "others", "these");
  return check_same(there.environment, asked.environment);
}

}  // namespace batchscope::cluster
