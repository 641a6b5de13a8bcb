#include "batchscope/study/check_pipelines.hpp"

#include <set>
#include <tuple>

#include "batchscope/engines/check_texts.hpp"

namespace batchscope::study {

base::Result<void> check_pipelines(const measure::Job& job, const engine::InstallPaths& places) {
  // Neither batch size nor threads change what can be fed.
  using Work = std::tuple<std::string, std::string, std::string, int64_t, schema::Shape>;
  std::set<Work> seen;
  const auto tokenizers = engines::tokenizers_of(places);
  for (const schema::RunConfig& config : job.configs) {
    if (!config.pipeline) continue;
    schema::Shape shape = config.shape;
    shape.batch_size = 1;
    shape.lengths.clear();
    const Work work{config.engine, config.model, config.pipeline->tokenizer,
                    config.pipeline->max_length, shape};
    if (!seen.insert(work).second) continue;
    const engine::ModelSpec* const model = measure::find_spec(job, config);
    if (model == nullptr) continue;
    const std::string& name = model->path.empty() ? model->name : model->path;
    auto fits = engines::check_texts(config, model->inputs, name, tokenizers);
    if (!fits) return fits;
  }
  return {};
}

}  // namespace batchscope::study
