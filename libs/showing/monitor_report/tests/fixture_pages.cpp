// Writes pages of logs that were never written, for the tests in a browser:
// monitor_fixture_pages FOLDER NAME...

#include <cstdio>
#include <fstream>
#include <functional>
#include <map>
#include <string>

#include "batchscope/base/strings.hpp"
#include "made_logs.hpp"
#include "testing/summaries/hostile_texts.hpp"

namespace {

using namespace batchscope::monitor_report;

const std::map<std::string, std::function<testing::MadeLog()>>& makers() {
  static const std::map<std::string, std::function<testing::MadeLog()>> kMakers = {
      {"healthy", [] { return testing::healthy(); }},
      {"trained", [] { return testing::trained(); }},
      {"million", [] { return testing::trained(1'000'000); }},
      {"week", [] { return testing::week(); }},
      {"without_gpu", testing::without_gpu},
      {"lost_gpu", testing::lost_gpu},
      {"hostile",
       [] {
         return testing::hostile(
             batchscope::base::join(batchscope::fixtures::hostile_texts(), " "));
       }},
      {"empty", testing::empty}};
  return kMakers;
}

bool write(const std::string& folder, const std::string& name) {
  const auto maker = makers().find(name);
  if (maker == makers().end()) return false;
  const testing::MadeLog made = maker->second();
  const auto page = html(testing::view_of(made));
  if (!page) {
    std::puts("built without the HTML report");
    return false;
  }
  std::ofstream file(folder + "/" + name + ".html", std::ios::binary);
  file << *page;
  return file.good();
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 3) {
    std::puts("usage: monitor_fixture_pages FOLDER NAME...");
    return 1;
  }
  for (int i = 2; i < count; ++i) {
    if (!write(arguments[1], arguments[i])) return 1;
  }
  return 0;
}
