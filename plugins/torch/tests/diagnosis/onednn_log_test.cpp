#include "diagnosis/onednn_log.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace batchscope::torch_plugin {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

schema::Primitive primitive(std::string kind, std::string implementation, int64_t calls,
                            int64_t total_ns, int64_t created = 0, int64_t creation_ns = 0) {
  return {std::move(kind), std::move(implementation), calls, total_ns, created, creation_ns};
}

// As oneDNN 3.12 printed them for a linear layer and a convolution in bf16.
constexpr std::string_view kRealLog =
    "onednn_verbose,v1,info,oneDNN v3.12.0 (commit 80afa71049cd69a3df32adcccb623b12cd7baa22)\n"
    "onednn_verbose,v1,info,cpu,runtime:OpenMP,nthr:2\n"
    "onednn_verbose,v1,primitive,info,template:operation,engine,primitive,implementation,prop_kind,"
    "memory_descriptors,attributes,auxiliary,problem_desc,exec_time\n"
    "onednn_verbose,v1,primitive,create:cache_miss,cpu,matmul,brg_matmul:avx10_1_512_amx,undef,"
    "src:bf16::blocked:ab::f0 wei:bf16::blocked:ba::f0 dst:bf16::blocked:ab::f0,"
    "attr-scratchpad:user attr-post-ops:sum,,8x1024:1024x1024,0.916016\n"
    "onednn_verbose,v1,primitive,exec,cpu,matmul,brg_matmul:avx10_1_512_amx,undef,"
    "src:bf16::blocked:ab::f0 wei:bf16::blocked:ba::f0 dst:bf16::blocked:ab::f0,"
    "attr-scratchpad:user attr-post-ops:sum,,8x1024:1024x1024,6.98389\n"
    "onednn_verbose,v1,primitive,create:cache_hit,cpu,matmul,brg_matmul:avx10_1_512_amx,undef,"
    "src:bf16::blocked:ab::f0 wei:bf16::blocked:ba::f0 dst:bf16::blocked:ab::f0,"
    "attr-scratchpad:user attr-post-ops:sum,,8x1024:1024x1024,0.0280762\n"
    "onednn_verbose,v1,primitive,exec,cpu,matmul,brg_matmul:avx10_1_512_amx,undef,"
    "src:bf16::blocked:ab::f0 wei:bf16::blocked:ba::f0 dst:bf16::blocked:ab::f0,"
    "attr-scratchpad:user attr-post-ops:sum,,8x1024:1024x1024,7.4729\n"
    "onednn_verbose,v1,primitive,exec,cpu,convolution,brg_conv_fwd:avx10_1_512_amx,"
    "forward_training,src:bf16:a:blocked:acdb::f0 wei:bf16:a:blocked:AcdB16b32a2b::f0 "
    "bia:bf16:a:blocked:a::f0 dst:bf16:a:blocked:acdb::f0,attr-scratchpad:user,"
    "alg:convolution_direct,mb1_ic64oc64_ih32oh30kh3sh1dh0ph0_iw32ow30kw3sw1dw0pw0,16.165\n";

// One line whose time is `time`.
std::string line(std::string_view time,
                 std::string_view head = "onednn_verbose,v1,primitive,exec") {
  return std::string(head) + ",cpu,matmul,gemm:jit,undef,src:f32,,,8x8:8x8," + std::string(time) +
         "\n";
}

TEST(SumOneDnnLog, SumsWhatOneDnnPrints) {
  EXPECT_THAT(sum_onednn_log(kRealLog),
              ElementsAre(primitive("convolution", "brg_conv_fwd:avx10_1_512_amx", 1, 16165000),
                          primitive("matmul", "brg_matmul:avx10_1_512_amx", 2, 6983890 + 7472900, 1,
                                    916016)));
}

TEST(SumOneDnnLog, OneInterruptionDoesNotCount) {
  const std::string log = line("2") + line("2.5") + line("90") + line("2") + line("2.25");
  EXPECT_THAT(sum_onednn_log(log), ElementsAre(primitive("matmul", "gemm:jit", 5, 5 * 2'250'000)));
}

TEST(SumOneDnnLog, ReadsOlderFormsAndTimeStamps) {
  for (const char* head :
       {"onednn_verbose,primitive,exec", "onednn_verbose,exec", "dnnl_verbose,exec",
        "onednn_verbose,v1,1795292926028.895020,primitive,exec",
        "onednn_verbose,1795292926028.895020,primitive,exec"}) {
    EXPECT_THAT(sum_onednn_log(line("2.5", head)),
                ElementsAre(primitive("matmul", "gemm:jit", 1, 2500000)))
        << head;
  }
}

TEST(SumOneDnnLog, ReadsShortTimes) {
  EXPECT_THAT(sum_onednn_log(line("9.765e-05") + line("0")),
              ElementsAre(primitive("matmul", "gemm:jit", 2, 98)));
}

TEST(SumOneDnnLog, PassesOverWhatIsNoTime) {
  for (const char* time : {"", "-1", "-0.0", "1e400", "nan", "inf", "1.5x", " 1.5", "0x10", "1e10",
                           "99999999999999999999999"}) {
    EXPECT_THAT(sum_onednn_log(line(time)), IsEmpty()) << time;
  }
}

TEST(SumOneDnnLog, PassesOverForeignAndTornLines) {
  const std::string full = line("2.5");
  for (size_t length = 1; length < full.size(); ++length) {
    EXPECT_THAT(sum_onednn_log(full.substr(0, length)), IsEmpty()) << length;
    EXPECT_THAT(sum_onednn_log(full.substr(0, length) + full), IsEmpty());
  }
  EXPECT_THAT(sum_onednn_log(line("2.5", "onednn_verbose,v2,primitive,exec")), IsEmpty());
  EXPECT_THAT(sum_onednn_log(line("2.5", "hello,v1,primitive,exec")), IsEmpty());
  EXPECT_THAT(sum_onednn_log(line("2.5", "onednn_verbose,v1,graph,exec")), IsEmpty());
  EXPECT_THAT(sum_onednn_log(line("2.5", "onednn_verbose,v1,primitive,create:cache_hit")),
              IsEmpty());
  EXPECT_THAT(sum_onednn_log(",,,\n\n\nonednn_verbose\nonednn_verbose,\n\xff\xfe,\n"), IsEmpty());
}

TEST(SumOneDnnLog, PassesOverNamesThatAreNone) {
  for (const char* names : {",", "matmul,", ",jit", "mat mul,jit", "matmul,j\xc3\xa4t"}) {
    EXPECT_THAT(sum_onednn_log("onednn_verbose,v1,primitive,exec,cpu," + std::string(names) +
                               ",undef,src,,,8x8,2.5\n"),
                IsEmpty())
        << names;
  }
}

TEST(SumOneDnnLog, DoesNotOverflow) {
  std::string log;
  for (int i = 0; i < 10000; ++i) log += line("1e9");
  EXPECT_THAT(sum_onednn_log(log), ElementsAre(primitive("matmul", "gemm:jit", 10000, INT64_MAX)));
}

}  // namespace
}  // namespace batchscope::torch_plugin
