// Prints docs/reference/truth.md: every rate that the method promises, measured in virtual time.
//
//   truth_table [experiments a row, default 1000] [first seed, default 1] > docs/reference/truth.md
//
// BATCHSCOPE_PROFILES=DIR: tables measured elsewhere (CSV) that searches are tried on too.

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>

#include "row.hpp"
#include "search_table.hpp"

namespace {

using namespace batchscope;

constexpr const char* kIntroduction =
    "# Truth\n\n"
    "How often what batchscope says is right. Every figure comes from whole experiments: the "
    "synthetic engine, whose law is known, measured by the same code as a real model (a fresh "
    "process a visit, random order, warm-up by evidence, 12 blocks unless said otherwise) and "
    "analysed by the same code, in virtual time.\n\n"
    "The usual noise is lognormal: 1.5 % a visit, 1 % a process, 0.5 % an iteration; 2 % of the "
    "visits take 30 % longer. Bursts and drift: in addition neighbours that start with 2 % of the "
    "visits and slow down 5 of them by 20 %, and a machine that slows down steadily. A busy "
    "machine: "
    "one visit in ten takes four times as long.\n\n"
    "A row passes when the 99 % interval of its rate (Clopper and Pearson) does not exclude the "
    "goal. This page is generated: `./dev truth`.\n";

void print_row(const truth::Row& row, const truth::Outcome& outcome) {
  fmt::print("| {} | {} | {:.1f} % | {:.1f} to {:.1f} % | {} to {} | {} |\n", row.what,
             truth::describe(row.goal), 100 * outcome.rate(), 100 * outcome.interval.low,
             100 * outcome.interval.high, outcome.first_seed,
             outcome.first_seed + static_cast<uint64_t>(outcome.experiments) - 1,
             truth::passes(row.goal, outcome) ? "yes" : "**no**");
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const int experiments = argc > 1 ? std::atoi(argv[1]) : 1000;
  uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  if (experiments < 1) {
    std::fprintf(stderr, "usage: truth_table [experiments a row] [first seed]\n");
    return 2;
  }
  fmt::print("{}", kIntroduction);
  std::string topic;
  bool all_pass = true;
  for (const truth::Row& row : truth::all_rows()) {
    if (row.topic != topic) {
      topic = row.topic;
      fmt::print(
          "\n## {}\n\n| what | goal | rate | 99 % interval | seeds | passes |\n"
          "|---|---|---|---|---|---|\n",
          topic);
    }
    const truth::Outcome outcome = truth::run(row, experiments, seed);
    all_pass = all_pass && truth::passes(row.goal, outcome);
    print_row(row, outcome);
    seed += static_cast<uint64_t>(experiments);
  }
  const char* const profiles = std::getenv("BATCHSCOPE_PROFILES");
  fmt::print("{}", truth::search_section(experiments, seed, profiles != nullptr ? profiles : ""));
  return all_pass ? 0 : 1;
}
