#include "programs/aot_package.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testing/files/scratch_folder.hpp"

namespace batchscope::torch_plugin {
namespace {

using testing::ElementsAre;

// forward(x, mask=...) as torch.export writes it down.
constexpr std::string_view kCallSpec = R"([1, {"type": "builtins.tuple", "context": "null",
  "children_spec": [
    {"type": "builtins.tuple", "context": "null",
     "children_spec": [{"type": null, "context": null, "children_spec": []}]},
    {"type": "builtins.dict", "context": "[\"mask\"]",
     "children_spec": [{"type": null, "context": null, "children_spec": []}]}]}])";

TEST(ParseCallSpec, CountsPlacesAndNamesKeywords) {
  const auto arguments = parse_call_spec(kCallSpec);
  ASSERT_TRUE(arguments);
  ASSERT_EQ(arguments->size(), 2);
  EXPECT_EQ(arguments->at(0).name, "");
  EXPECT_EQ(arguments->at(1).name, "mask");
  EXPECT_TRUE(arguments->at(1).required);
}

TEST(ParseCallSpec, GivesUpOnWhatItDoesNotKnow) {
  EXPECT_FALSE(parse_call_spec("no json"));
  EXPECT_FALSE(parse_call_spec("[1]"));
  EXPECT_FALSE(parse_call_spec(R"([1, {"type": null}])"));
}

TEST(FixedThreads, FindsTheNumbersInTheSource) {
  EXPECT_THAT(fixed_threads("#pragma omp parallel num_threads(2)\n{ }\n"
                            "#pragma omp parallel num_threads(2)\n"
                            "#pragma omp parallel num_threads(16)\n"),
              ElementsAre(2, 16));
}

TEST(FixedThreads, TakesDynamicOnesForFree) {
  EXPECT_THAT(fixed_threads("#pragma omp parallel num_threads(max_threads)"), ElementsAre());
  EXPECT_THAT(fixed_threads("#pragma omp parallel"), ElementsAre());
}

TEST(CompiledDevice, IsInTheMetadata) {
  EXPECT_EQ(compiled_device(R"({"AOTI_DEVICE_KEY": "cuda", "AOTI_PLATFORM": "linux"})"), "cuda");
  EXPECT_EQ(compiled_device("{}"), "");
  EXPECT_EQ(compiled_device("no json"), "");
}

TEST(ReadPackage, RefusesWhatIsNoPackage) {
  const ScratchFolder folder;
  const auto package = read_package(folder.write("x.pt2", "junk"));
  ASSERT_FALSE(package);
  EXPECT_EQ(package.error().kind, base::ErrorKind::input);
}

}  // namespace
}  // namespace batchscope::torch_plugin
