// What the program does, called from C++: measure a model and judge what was measured.
#include <batchscope/batchscope.hpp>
#include <cstdio>

using namespace batchscope;

int fail(const base::Error& error) {
  std::fprintf(stderr, "%s\n", base::to_string(error).c_str());
  return 1;
}

int main() {
  const api::Program program;  // no installation: a law in virtual time needs none
  api::MeasureOptions options;
  options.request.models = {"synthetic:affine:5ms,2ms"};
  options.request.axes.batch_sizes = {1, 2, 4, 8};
  options.request.plan.isolation = schema::Isolation::none;  // in this process
  options.request.plan.blocks = 2;
  options.request.plan.blocks_fixed = true;
  options.file.path = "whole.jsonl";
  options.file.overwrite = true;
  const auto made = api::profile(program, options);
  if (!made) return fail(made.error());
  const auto summary = api::analyze(program, {&made->run, 1});
  if (!summary) return 1;
  std::printf("%zu visits, %zu table\n", made->run.visits.size(), summary->groups.size());

  api::AutotuneOptions service;
  service.tune.request = options.request;
  service.tune.stated = {"--batch-sizes"};  // else the usual grid
  service.cache = "settings";
  const auto setting = api::autotune(program, service);
  if (!setting) return fail(setting.error());
  std::printf("batch %lld\n", static_cast<long long>(setting->setting.config.shape.batch_size));
  return 0;
}
