#pragma once

#include <string>

#include "batchscope/cluster/job_file.hpp"
#include "batchscope/cluster/parts.hpp"

namespace batchscope::cluster {

inline JobFile sample_job() {
  JobFile job;
  job.blocks = 4;
  job.header.tool_version = "1.2";
  job.header.created = "2030-01-02T03:04:05Z";
  job.header.seed = 7;
  job.header.plan.blocks = 4;
  job.header.plan.blocks_fixed = true;
  job.header.axes = {{"batch_size", "1,2"}};
  job.header.models.resize(1);
  job.header.models[0].name = "m";
  job.header.models[0].hash = "abc";
  for (const int64_t size : {1, 2}) {
    schema::RunConfig config;
    config.engine = "synthetic";
    config.model = "m";
    config.shape.batch_size = size;
    job.configs.push_back(config);
  }
  job.header.configurations = 2;
  return job;
}

inline schema::Visit sample_visit(int block, int config) {
  schema::Visit visit;
  visit.block = block;
  visit.config = config;
  visit.samples_ns = {block + 1, 5};
  visit.warmup_ns = {9};
  visit.wall_ns = 1'000'000'000;
  return visit;
}

// Block `block` of the job, measured on that node.
inline schema::RunFile sample_part(const JobFile& job, int block, const std::string& node) {
  schema::RunFile recorded = empty_run(job);
  for (const int config : {1, 0}) recorded.visits.push_back(sample_visit(block, config));
  schema::Node on;
  on.name = node;
  on.machine.cpu = "cpu of " + node;
  schema::Placement placement;
  placement.block = block;
  placement.devices = {"cpu"};
  return part_of(recorded, on, placement);
}

}  // namespace batchscope::cluster
