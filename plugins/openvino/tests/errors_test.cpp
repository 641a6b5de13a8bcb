#include "errors.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace batchscope::openvino_plugin {
namespace {

base::Error thrown(const char* what) {
  return engine::to_error(kWords, std::make_exception_ptr(std::runtime_error(what)),
                          base::ErrorKind::failed, "model.xml", "mend it");
}

TEST(Errors, KeepWhatIsUseful) {
  EXPECT_EQ(useful_message("Exception from src/a.cpp:189:\nCheck 'x == y' failed at src/b.cpp:3:\n"
                           "Input shapes do not match\n\n"),
            "Input shapes do not match");
  EXPECT_EQ(useful_message("one\n  two\n"), "one two");
  EXPECT_EQ(useful_message("Exception from src/a.cpp:189:\n"), "Exception from src/a.cpp:189:");
  EXPECT_EQ(thrown("").what, "OpenVINO gave no reason");
}

TEST(Errors, TellMemoryFromTheRest) {
  EXPECT_EQ(thrown("std::bad_alloc").kind, base::ErrorKind::out_of_memory);
  EXPECT_NE(thrown("std::bad_alloc").fix.find("--memory-limit"), std::string::npos);
  const base::Error of_gpu =
      thrown("[GPU] clEnqueueNDRangeKernel, error code: -5 CL_OUT_OF_RESOURCES");
  EXPECT_EQ(of_gpu.kind, base::ErrorKind::out_of_memory);
  EXPECT_EQ(of_gpu.fix.find("--memory-limit"), std::string::npos) << "which is the host's";
  EXPECT_EQ(thrown("no such layer").kind, base::ErrorKind::failed);
}

}  // namespace
}  // namespace batchscope::openvino_plugin
