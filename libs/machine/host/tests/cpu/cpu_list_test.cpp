#include "batchscope/host/cpu_list.hpp"

#include <gmock/gmock.h>

namespace batchscope::host {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(CpuList, ReadsRangesAndSingleNumbers) {
  EXPECT_THAT(parse_cpu_list("0-3,8\n"), ElementsAre(0, 1, 2, 3, 8));
  EXPECT_THAT(parse_cpu_list("5"), ElementsAre(5));
}

TEST(CpuList, SortsAndDropsDuplicates) {
  EXPECT_THAT(parse_cpu_list("4,0-1,1"), ElementsAre(0, 1, 4));
}

TEST(CpuList, TextThatIsNoListIsEmpty) {
  for (const char* text : {"", "\n", "a", "3-1", "-1", "1,", "1-", "0-99999999", "0x3"}) {
    EXPECT_THAT(parse_cpu_list(text), IsEmpty()) << '"' << text << '"';
  }
}

TEST(CpuList, FormatsAsTheKernelDoes) {
  EXPECT_EQ(format_cpu_list({0, 1, 2, 3, 8}), "0-3,8");
  EXPECT_EQ(format_cpu_list({1, 3, 4}), "1,3-4");
  EXPECT_EQ(format_cpu_list({}), "");
}

TEST(CpuList, ThisProcessMayRunSomewhere) {
  EXPECT_FALSE(current_affinity().empty());
}

}  // namespace
}  // namespace batchscope::host
