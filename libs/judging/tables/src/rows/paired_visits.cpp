#include "batchscope/tables/paired_visits.hpp"

#include <map>

namespace batchscope::tables {

timing::WarmVisits visits_of(const RunView& view, const schema::RunConfig& config,
                             timing::Use use) {
  return timing::visits_of(*view.run, config, use, view.warmups);
}

PairedVisits pair_visits(const RunView& view, const schema::RunConfig& a,
                         const schema::RunConfig& b, timing::Use use, timing::TimeOfVisit time) {
  const auto sides = timing::contrasted_visits(*view.run, a, b, use, view.warmups);
  const auto logs_of_a = timing::logs_by_block(sides.a, time);
  const auto logs_of_b = timing::logs_by_block(sides.b, time);
  std::map<int, const schema::Visit*> made;
  for (const timing::SteadyVisit& visit : sides.b.visits) made[visit.visit->block] = visit.visit;
  PairedVisits pairs;
  pairs.unseen = timing::unseen_of_ratio(view.slow.unseen_by(a, sides.a.visits),
                                         view.slow.unseen_by(b, sides.b.visits));
  pairs.settled = sides.settled;
  pairs.warming = timing::are_warming(sides);
  pairs.contrasts = timing::paired(logs_of_a, logs_of_b);
  pairs.blocks = timing::blocks_in_both(logs_of_a, logs_of_b);
  for (const int block : pairs.blocks) pairs.b.push_back(made.at(block));
  return pairs;
}

}  // namespace batchscope::tables
