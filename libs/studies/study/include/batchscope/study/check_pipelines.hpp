#pragma once

#include "batchscope/base/result.hpp"
#include "batchscope/engine/install_paths.hpp"
#include "batchscope/measure/session.hpp"

namespace batchscope::study {

// Whether the texts of a job can be tokenized and fed to its models; loads each tokenizer once, so
// that what is wrong with it is said before anything is measured. Errors: those of
// engines::check_texts.
base::Result<void> check_pipelines(const measure::Job& job, const engine::InstallPaths& places);

}  // namespace batchscope::study
