#include "search_answer.hpp"

#include <span>

#include "batchscope/analyze/analyze.hpp"
#include "batchscope/tune/tune.hpp"

namespace batchscope::api {

findings::Answer answer_of_search(const Program& program, const schema::RunFile& run,
                                  const findings::Tuning& tuning, const std::string& name) {
  analyze::Options options;
  options.names = {name};
  options.commands = program.commands;
  options.recommendations = {tune::recommendation_of(tuning)};
  return analyze::analyze(std::span(&run, 1), options).answer;
}

}  // namespace batchscope::api
