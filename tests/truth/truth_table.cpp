// Prints docs/reference/truth.md: every rate that the method promises, measured in virtual time.
//
//   truth_table [experiments a row, default 1000] [first seed, default 1] > docs/reference/truth.md
//   truth_table --only preemption --experiments 200     just the rows with this text in their topic
//                                                       or their line; upper and lower case differ
//   truth_table --list                                  their names alone
//
// BATCHSCOPE_PROFILES=DIR: tables measured elsewhere (CSV) that searches are tried on too.

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <optional>
#include <span>
#include <string>

#include "row.hpp"
#include "search_table.hpp"

namespace {

using namespace batchscope;

constexpr const char* kIntroduction =
    "# Truth\n\n"
    "How often what batchscope says is right. Every figure comes from whole experiments: the "
    "synthetic engine, whose law is known, measured by the same code as a real model (a new "
    "process per visit, random order, measured warm-up, 12 blocks unless a row names another "
    "number) and "
    "analysed by the same code, in virtual time.\n\n"
    "The usual noise is lognormal: 1.5 % a visit, 1 % a process, 0.5 % an iteration; 2 % of the "
    "visits take 30 % longer. Bursts and drift: in addition neighbours that start with 2 % of the "
    "visits and slow down 5 of them by 20 %, and a machine that slows down steadily. A busy "
    "machine: "
    "one visit in ten takes four times as long.\n\n"
    "Rows of machines and laws that mislead have hardly any other noise (0.4 % a visit, 0.3 % a "
    "process, 0.2 % an iteration). Two ways and two modes: the processes that are slower are drawn "
    "at random. Carry-over: the visit before was in the same block. Preemption: the process waits "
    "for each of the others' slices after each of its own.\n\n"
    "Four rows miss their goal, and are listed for that reason. Warm-up of one size with 6 blocks: "
    "a visit has under 8 iterations, too few for a later half, and six visits cannot distinguish a "
    "warm-up of that size alone from its cost; 12 blocks can. Runs that scatter: a test over the "
    "visits of one run a side shows whether these two runs differ, which they do; the program "
    "states that of the runs, never of a change, and the gate refuses one run a side.\n\n"
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

struct Wanted {
  int experiments = 1000;
  uint64_t first_seed = 1;
  std::string only;  // empty: all rows
  bool list = false;
};

// Absent where an argument is wrong.
std::optional<Wanted> wanted_of(std::span<char* const> arguments) {
  Wanted wanted;
  int place = 0;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string name = arguments[i];
    if (name == "--list") {
      wanted.list = true;
      continue;
    }
    const bool is_option = name.starts_with("--");
    if (is_option && ++i == arguments.size()) return std::nullopt;
    const char* const value = arguments[i];
    if (name == "--only") {
      wanted.only = value;
    } else if (name == "--experiments" || (!is_option && place == 0)) {
      wanted.experiments = std::atoi(value);
    } else if (name == "--seed" || (!is_option && place == 1)) {
      wanted.first_seed = std::strtoull(value, nullptr, 10);
    } else {
      return std::nullopt;
    }
    place += is_option ? 0 : 1;
  }
  if (wanted.experiments < 1) return std::nullopt;
  return wanted;
}

bool is_wanted(const truth::Row& row, const Wanted& wanted) {
  return row.topic.find(wanted.only) != std::string::npos ||
         row.what.find(wanted.only) != std::string::npos;
}

void print_topic(const std::string& topic) {
  fmt::print(
      "\n## {}\n\n| what | goal | rate | 99 % interval | seeds | passes |\n"
      "|---|---|---|---|---|---|\n",
      topic);
}

// Each row has the seeds that it has in the whole table. Whether all pass.
bool print_rows(const Wanted& wanted) {
  std::string topic;
  bool all_pass = true;
  uint64_t seed = wanted.first_seed;
  for (const truth::Row& row : truth::all_rows()) {
    const uint64_t first_seed = seed;
    seed += static_cast<uint64_t>(wanted.experiments);
    if (!is_wanted(row, wanted)) continue;
    if (wanted.list) {
      fmt::print("{}: {}\n", row.topic, row.what);
      continue;
    }
    if (row.topic != topic) print_topic(row.topic);
    topic = row.topic;
    const truth::Outcome outcome = truth::run(row, wanted.experiments, first_seed);
    all_pass = all_pass && truth::passes(row.goal, outcome);
    print_row(row, outcome);
  }
  return all_pass;
}

}  // namespace

int main(int argc, char** argv) {
  const auto wanted = wanted_of(std::span(argv, static_cast<std::size_t>(argc)).subspan(1));
  if (!wanted) {
    std::fprintf(stderr,
                 "usage: truth_table [experiments a row] [first seed] [--experiments N] [--seed N] "
                 "[--only TEXT|search] [--list]\n");
    return 2;
  }
  const bool page = wanted->only.empty() && !wanted->list;
  if (page) fmt::print("{}", kIntroduction);
  const bool all_pass = print_rows(*wanted);
  if (page || wanted->only == "search") {
    const char* const profiles = std::getenv("BATCHSCOPE_PROFILES");
    const uint64_t seed =
        wanted->first_seed + static_cast<uint64_t>(wanted->experiments) * truth::all_rows().size();
    fmt::print("{}", truth::search_section(wanted->experiments, seed,
                                           profiles != nullptr ? profiles : ""));
  }
  return all_pass ? 0 : 1;
}
