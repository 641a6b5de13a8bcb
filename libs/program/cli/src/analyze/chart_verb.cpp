#include <iostream>
#include <iterator>

#include "batchscope/report/picture.hpp"
#include "command.hpp"
#include "output.hpp"

namespace batchscope::cli {

// Hidden: what the Python package asks for the picture that a notebook shows.
int chart_verb(const std::vector<std::string>& arguments) {
  if (!arguments.empty()) {
    return fail(make_log(), {base::ErrorKind::usage, "chart reads an analysis from standard input",
                             "chart", "batchscope analyze RUN --format json | batchscope chart"});
  }
  const std::string analysis{std::istreambuf_iterator<char>(std::cin), {}};
  const auto picture = report::throughput_picture(analysis);
  if (!picture) return fail(make_log(), picture.error());
  const auto written = write_output({}, *picture, Written::plain);
  return written ? static_cast<int>(kDone) : fail(make_log(), written.error());
}

}  // namespace batchscope::cli
