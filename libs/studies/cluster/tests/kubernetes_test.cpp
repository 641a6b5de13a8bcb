#include "batchscope/cluster/kubernetes.hpp"

#include <gmock/gmock.h>

#include "sample_parts.hpp"

namespace batchscope::cluster {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

TEST(Kubernetes, GetsAJobForTheScoutsAndOneForTheRest) {
  JobFile job = sample_job();
  job.blocks = 24;
  job.configs.front().threads = 8;
  const std::string text = kubernetes_manifests({"My_study", 4}, job);
  EXPECT_THAT(text, AllOf(HasSubstr("name: my-study-scouts\n"), HasSubstr("name: my-study-rest\n"),
                          HasSubstr("completions: 2\n  parallelism: 2\n"),
                          HasSubstr("completions: 22\n  parallelism: 4\n"),
                          HasSubstr("JOB_COMPLETION_INDEX + 0"),
                          HasSubstr("JOB_COMPLETION_INDEX + 2"), HasSubstr("cpu: \"8\"\n"),
                          HasSubstr("image: batchscope:1.2\n"), Not(HasSubstr("gpu"))));
  job.configs.front().device = "cuda:0";
  EXPECT_THAT(kubernetes_manifests({"s", 0}, job), HasSubstr("nvidia.com/gpu: \"1\"\n"));
}

TEST(Kubernetes, OfTwoBlocksThereIsNoRest) {
  JobFile job = sample_job();
  job.blocks = 2;
  const std::string text = kubernetes_manifests({"--", 0}, job);
  EXPECT_THAT(text, AllOf(HasSubstr("name: study-scouts\n"), Not(HasSubstr("name: study-rest"))));
}

}  // namespace
}  // namespace batchscope::cluster
