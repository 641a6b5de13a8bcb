#include <cstdio>
#include <string>
#include <string_view>

#include "batchscope/report/json.hpp"
#include "batchscope/schema/run_file.hpp"
#include "testing/runs/changed_fields.hpp"
#include "testing/summaries/sample_summary.hpp"

namespace {

// By the table too, so that a new field of a configuration is among them.
std::string run_text() {
  namespace schema = batchscope::schema;
  std::string text = schema::sample_text();
  int index = 2;  // after those of the sample
  for (const auto& changed : schema::each_field_changed(schema::sample_config())) {
    text += schema::config_line(index++, changed.config) + "\n";
  }
  return text;
}

}  // namespace

// Prints a run file (`run`), an analysis document (`analysis`) or a search (`tuning`) that holds
// every field there is.
int main(int argc, char** argv) {
  namespace findings = batchscope::findings;
  const std::string_view what = argc > 1 ? argv[1] : "";
  if (what == "run") {
    std::fputs(run_text().c_str(), stdout);
  } else if (what == "analysis") {
    std::puts(batchscope::report::to_json(findings::sample_summary()).c_str());
  } else if (what == "tuning") {
    const findings::Summary summary = findings::sample_summary();
    std::puts(batchscope::report::to_json(summary.tunings.front()).c_str());
  } else {
    std::fputs("usage: schema_examples run|analysis|tuning\n", stderr);
    return 2;
  }
  return 0;
}
