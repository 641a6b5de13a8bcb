#include "errors.hpp"

#include <gtest/gtest.h>

#include <new>
#include <stdexcept>

namespace batchscope::openvino_plugin {
namespace {

base::Error thrown(const auto& exception) {
  return to_error(std::make_exception_ptr(exception), base::ErrorKind::failed, "model.xml",
                  "mend it");
}

TEST(Errors, KeepWhatIsUseful) {
  EXPECT_EQ(useful_message("Exception from src/a.cpp:189:\nCheck 'x == y' failed at src/b.cpp:3:\n"
                           "Input shapes do not match\n\n"),
            "Input shapes do not match");
  EXPECT_EQ(useful_message("one\n  two\n"), "one two");
  EXPECT_EQ(useful_message("Exception from src/a.cpp:189:\n"), "Exception from src/a.cpp:189:");
  EXPECT_EQ(useful_message(""), "OpenVINO gave no reason");
  EXPECT_EQ(useful_message(std::string(1000, 'x')).size(), 403u);
}

TEST(Errors, TellMemoryFromTheRest) {
  EXPECT_EQ(thrown(std::bad_alloc()).kind, base::ErrorKind::out_of_memory);
  EXPECT_EQ(thrown(std::runtime_error("std::bad_alloc")).kind, base::ErrorKind::out_of_memory);
  const base::Error of_gpu = thrown(
      std::runtime_error("[GPU] clEnqueueNDRangeKernel, error code: -5 CL_OUT_OF_RESOURCES"));
  EXPECT_EQ(of_gpu.kind, base::ErrorKind::out_of_memory);
  EXPECT_EQ(of_gpu.fix.find("--memory-limit"), std::string::npos) << "which is the host's";
  EXPECT_NE(thrown(std::bad_alloc()).fix.find("--memory-limit"), std::string::npos);
  const base::Error error = thrown(std::runtime_error("no such layer"));
  EXPECT_EQ(error.kind, base::ErrorKind::failed);
  EXPECT_EQ(error.what, "no such layer");
  EXPECT_EQ(error.where, "model.xml");
  EXPECT_EQ(error.fix, "mend it");
  EXPECT_EQ(thrown(7).kind, base::ErrorKind::failed);
}

}  // namespace
}  // namespace batchscope::openvino_plugin
