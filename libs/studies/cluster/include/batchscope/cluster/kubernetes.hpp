#pragma once

#include <string>

#include "batchscope/cluster/job_file.hpp"

namespace batchscope::cluster {

struct KubernetesOptions {
  std::string name;  // of the study, for the Jobs; made into one that Kubernetes takes
  int at_once = 0;   // pods; 0: as many as there are blocks
};

// The manifests of two Indexed Jobs, one for the scouts and one for the other blocks, whose pods
// see the job's folder as /job; with the commands that apply them as comments.
std::string kubernetes_manifests(const KubernetesOptions& options, const JobFile& job);

}  // namespace batchscope::cluster
