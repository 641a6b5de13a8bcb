#include "batchscope/document/csv.hpp"

#include <gtest/gtest.h>

namespace batchscope::document {
namespace {

TEST(Csv, ASpreadsheetTakesNoTextForAFormula) {
  for (const char* const text : {"=1+1", "+1", "-1", "@x", "\t=1", "\r\n=1", "  =1", "\u00A0=1",
                                 "\uFF1D1", "\uFF0B1", "\uFF0D1", "\uFF201", "\u3000=1"}) {
    const std::string cell = csv_text(text);
    EXPECT_EQ(cell.front(), '\'') << text;
  }
  EXPECT_EQ(csv_text("a=1"), "a=1");
  EXPECT_EQ(csv_text("  a"), "  a");
  EXPECT_EQ(csv_text("=a,b"), "\"'=a,b\"") << "quoted as well";
}

}  // namespace
}  // namespace batchscope::document
