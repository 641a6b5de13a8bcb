#include "approval/approval.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace batchscope::approval {
namespace {

std::string content_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream content;
  content << file.rdbuf();
  return content.str();
}

}  // namespace

void expect_approved(const std::string& name, const std::string& actual) {
  const std::filesystem::path path = std::filesystem::path(BATCHSCOPE_APPROVED_DIR) / name;
  if (std::getenv("BATCHSCOPE_UPDATE_APPROVED") != nullptr) {
    std::ofstream(path, std::ios::binary) << actual;
    return;
  }
  ASSERT_TRUE(std::filesystem::exists(path)) << path << ": run with BATCHSCOPE_UPDATE_APPROVED=1";
  EXPECT_EQ(content_of(path), actual) << path;
}

}  // namespace batchscope::approval
