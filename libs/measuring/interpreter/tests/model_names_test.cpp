#include "batchscope/interpreter/model_names.hpp"

#include <gtest/gtest.h>

namespace batchscope::interpreter {
namespace {

TEST(ModelNames, AFactoryIsNamedByItsFileOrModule) {
  for (const char* name : {"net.py:factory", "models/net.py:Net.small", "package.module:factory",
                           "module:factory", "/a/b.py:f"}) {
    EXPECT_TRUE(names_python(name)) << name;
  }
}

TEST(ModelNames, LibrariesHavePrefixes) {
  for (const char* name :
       {"hf:folder/config.json", "st:model", "timm:resnet18", "pickle:/t/n.pkl"}) {
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

TEST(ModelNames, WhatNobodyTypedIsCalledByItsName) {
  EXPECT_EQ(name_of("pickle:/tmp/x/matmul.pkl"), "matmul");
  EXPECT_EQ(name_of("net.py:factory"), "net.py:factory");
}

}  // namespace
}  // namespace batchscope::interpreter
