#include <cstdio>
#include <string_view>

#include "sample_summary.hpp"

// Prints a run file (`run`), an analysis document (`analysis`) or a search (`tuning`) that holds
// every field there is.
int main(int argc, char** argv) {
  namespace findings = batchscope::findings;
  const std::string_view what = argc > 1 ? argv[1] : "";
  if (what == "run") {
    std::fputs(batchscope::schema::sample_text().c_str(), stdout);
  } else if (what == "analysis") {
    std::puts(findings::to_json(findings::sample_summary()).c_str());
  } else if (what == "tuning") {
    const findings::Summary summary = findings::sample_summary();
    std::puts(findings::to_json(summary.tunings.front()).c_str());
  } else {
    std::fputs("usage: schema_examples run|analysis|tuning\n", stderr);
    return 2;
  }
  return 0;
}
