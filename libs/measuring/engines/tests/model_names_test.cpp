#include "batchscope/engines/model_names.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "testing/files/temp_folder.hpp"

namespace batchscope::engines {
namespace {

TEST(ModelNames, AFactoryIsNamedByItsFileOrModule) {
  for (const char* name : {"net.py:factory", "models/net.py:Net.small", "package.module:factory",
                           "module:factory", "/a/b.py:f"}) {
    EXPECT_TRUE(names_python(name)) << name;
  }
}

TEST(ModelNames, AnyLibraryMayBeOneOfThePackage) {
  for (const char* name :
       {"hf:folder/config.json", "st:model", "new_library:a/b-c", "pickle:/t/n.pkl"}) {
    EXPECT_TRUE(names_python(name)) << name;
  }
  EXPECT_FALSE(names_python("hf:"));
}

TEST(ModelNames, OthersAreNot) {
  for (const char* name :
       {"distilbert", "model.pt", "a/model.onnx", "synthetic:affine:2ms,10ms", "net.py",
        "net.py:", "net.py:2", "torch=a.pt,python=net.py:net", "python=net.py:net"}) {
    EXPECT_FALSE(names_python(name)) << name;
  }
}

TEST(ModelNames, AFileIsNone) {
  const base::TempFolder folder;
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  std::ofstream("a:b-c") << "x";
  EXPECT_FALSE(names_python("a:b-c"));
  EXPECT_TRUE(names_python("a:b-d"));
  std::filesystem::current_path(before);
}

TEST(ModelNames, WhatNobodyTypedIsCalledByItsName) {
  EXPECT_EQ(name_of("pickle:/tmp/x/matmul.pkl"), "matmul");
  EXPECT_EQ(name_of("net.py:factory"), "net.py:factory");
}

}  // namespace
}  // namespace batchscope::engines
