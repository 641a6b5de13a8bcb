#include "batchscope/trace/frames.hpp"

#include <gtest/gtest.h>

namespace batchscope::trace {
namespace {

TEST(Frames, OfLibrariesAreReported) {
  for (const auto* frame :
       {"/opt/env/lib/python3.7/site-packages/torch/autograd/profiler.py(611): __init__",
        "torch/nn/modules/module.py(1518): _call_impl", "nn.Module: Linear_0",
        "<built-in method add of type object at 0x7f>", "threading.py(1016): _bootstrap"}) {
    EXPECT_TRUE(is_of_a_library(frame)) << frame;
  }
  for (const auto* frame : {"train.py(12): step", "/opt/torch_tricks/run.py(3): <module>"}) {
    EXPECT_FALSE(is_of_a_library(frame)) << frame;
  }
}

TEST(Frames, OfAStackTheInnermostThatSomebodyWroteTells) {
  EXPECT_EQ(telling_frame("/x/site-packages/torch/a.py(1): f;own.py(54): <module>;run.py(1): g"),
            "own.py(54): <module>");
  EXPECT_EQ(telling_frame("torch/a.py(1): f;torch/b.py(2): g"), "torch/a.py(1): f");
  EXPECT_EQ(telling_frame(""), "");
  EXPECT_EQ(telling_frame(";;"), "");
}

}  // namespace
}  // namespace batchscope::trace
