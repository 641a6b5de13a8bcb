#include "batchscope/trace/unreadable.hpp"

#include <gtest/gtest.h>

namespace batchscope::trace {
namespace {

using namespace std::string_literals;

std::string command(const std::string& name, const std::string& head = "") {
  const UnreadableFormat* const format = unreadable_format(name, head);
  return format == nullptr ? "" : command_for(*format, name);
}

TEST(UnreadableFormats, EachNameHasACommandThatNamesTheFile) {
  for (const char* const name : {"a.nsys-rep", "a.qdrep", "a.qdstrm", "a.ncu-rep", "a.xplane.pb",
                                 "a.pickle", "a.tar", "a.tar.gz", "a.tgz", "a.zip", "a.pftrace"}) {
    EXPECT_NE(command(name).find(name), std::string::npos) << name << ": " << command(name);
  }
  EXPECT_EQ(command("run/a.nsys-rep"),
            "nsys export --type=sqlite --output=run/a.sqlite run/a.nsys-rep");
}

TEST(UnreadableFormats, ContentTellsWhereTheNameDoesNot) {
  std::string tar(512, '\0');
  tar.replace(257, 5, "ustar");
  EXPECT_NE(command("x", tar).find("tar -xf x"), std::string::npos);
  EXPECT_NE(command("x", "PK\x03\x04....").find("unzip x"), std::string::npos);
  EXPECT_NE(command("x", "\x80\x04\x95...."s).find("_memory_viz"), std::string::npos);
  EXPECT_NE(command("x.json", "[[1700000000, 0, [4096, 0]], ").find("export_chrome_trace"),
            std::string::npos);
  EXPECT_NE(command("x.json", "{\n \"schema\": \"1.1.1-chakra.0.0.4\", \"pid\": 7, \"nodes\": [")
                .find("export_chrome_trace"),
            std::string::npos);
}

TEST(UnreadableFormats, TracesAreNone) {
  EXPECT_EQ(unreadable_format("a.json", "{\"schemaVersion\": 1, \"traceEvents\": [{"), nullptr);
  EXPECT_EQ(unreadable_format("a.json", "[{\"ph\": \"X\"}"), nullptr);
  EXPECT_EQ(unreadable_format("a.sqlite", "SQLite format 3"), nullptr);
  EXPECT_EQ(unreadable_format("", ""), nullptr);
}

}  // namespace
}  // namespace batchscope::trace
