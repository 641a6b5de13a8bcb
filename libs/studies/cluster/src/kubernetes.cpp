#include "batchscope/cluster/kubernetes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "resources.hpp"

namespace batchscope::cluster {
namespace {

constexpr std::string_view kCommands =
    R"(# The folder of the job is on the volume claim "batchscope".
#   kubectl apply -f FILE -l batchscope=scouts
#   kubectl wait --for=condition=complete --timeout=-1s job/{0}-scouts
#   kubectl apply -f FILE -l batchscope=rest
)";

// {0} name, {1} which, {2} completions, {3} parallelism, {4} first block, {5} version, {6} CPUs,
// {7} a GPU or nothing.
constexpr std::string_view kJob = R"yaml(---
apiVersion: batch/v1
kind: Job
metadata:
  name: {0}-{1}
  labels:
    batchscope: {1}
spec:
  completionMode: Indexed
  completions: {2}
  parallelism: {3}
  backoffLimitPerIndex: 3
  maxFailedIndexes: {2}
  podReplacementPolicy: Failed
  podFailurePolicy:
    rules:
    - action: Ignore
      onPodConditions:
      - type: DisruptionTarget
        status: "True"
    - action: FailIndex
      onExitCodes:
        containerName: block
        operator: In
        values: [2, 3]
  template:
    metadata:
      labels:
        batchscope: {1}
    spec:
      restartPolicy: Never
      containers:
      - name: block
        image: batchscope:{5}
        command: ["sh", "-c", "exec batchscope block /job $((JOB_COMPLETION_INDEX + {4}))"]
        env:
        - name: BATCHSCOPE_NODE
          valueFrom:
            fieldRef:
              fieldPath: spec.nodeName
        resources:
          requests:
            cpu: "{6}"{7}
          limits:
            cpu: "{6}"{7}
        volumeMounts:
        - name: job
          mountPath: /job
      volumes:
      - name: job
        persistentVolumeClaim:
          claimName: batchscope
)yaml";

// Small letters, digits and hyphens, begun and ended by a letter or digit.
std::string as_label(const std::string& name) {
  constexpr std::size_t kMost = 40;
  std::string label;
  for (const char letter : name) {
    const auto byte = static_cast<unsigned char>(letter);
    if (std::isalnum(byte) != 0 && byte < 128) {
      label += static_cast<char>(std::tolower(byte));
    } else if (!label.empty() && label.back() != '-') {
      label += '-';
    }
    if (label.size() == kMost) break;
  }
  while (label.ends_with('-')) label.pop_back();
  return label.empty() ? "study" : label;
}

}  // namespace

std::string kubernetes_manifests(const KubernetesOptions& options, const JobFile& job) {
  const std::string name = as_label(options.name);
  const std::string gpu = on_cpu_alone(job) ? "" : "\n            nvidia.com/gpu: \"1\"";
  const auto manifest = [&](std::string_view which, int first, int blocks) {
    const int pods = options.at_once > 0 ? std::min(options.at_once, blocks) : blocks;
    return fmt::format(kJob, name, which, blocks, pods, first, job.header.tool_version,
                       cpus_of(job), gpu);
  };
  const int scouts = std::min(kScouts, job.blocks);
  std::string text = fmt::format(kCommands, name) + manifest("scouts", 0, scouts);
  if (job.blocks > scouts) text += manifest("rest", scouts, job.blocks - scouts);
  return text;
}

}  // namespace batchscope::cluster
