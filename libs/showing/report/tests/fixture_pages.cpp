// Writes pages of what no quick run shows, for the tests in a browser: fixture_pages FOLDER.

#include <cstdio>
#include <fstream>
#include <string>

#include "batchscope/report/html.hpp"
#include "testing/summaries/answered.hpp"
#include "testing/summaries/diagnosed.hpp"
#include "testing/summaries/fixtures.hpp"
#include "testing/summaries/hostile_texts.hpp"
#include "testing/summaries/tuned.hpp"

int main(int count, char** arguments) {
  using namespace batchscope::report;
  namespace fixtures = batchscope::fixtures;
  if (count != 2 || !has_html()) {
    std::puts(has_html() ? "usage: report_fixture_pages FOLDER" : "built without the HTML report");
    return 1;
  }
  const std::string folder = arguments[1];
  const auto write = [&](const char* name, const batchscope::findings::Summary& summary) {
    const auto page = html(summary, {}, {.commands = fixtures::commands()});
    if (!page) return false;
    std::ofstream file(folder + "/" + name, std::ios::binary);
    file << *page;
    return file.good();
  };
  const bool written =
      write("diagnosed.html", fixtures::diagnosed()) &&
      write("hostile.html", fixtures::diagnosed_with(fixtures::hostile_texts())) &&
      write("device.html", fixtures::many_sizes()) && write("tuned.html", fixtures::tuned()) &&
      write("answered.html", fixtures::answered()) &&
      write("hopeless.html", fixtures::hopeless()) && write("compared.html", fixtures::compared());
  return written ? 0 : 1;
}
