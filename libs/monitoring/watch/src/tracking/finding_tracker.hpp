#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "batchscope/watch/active_finding.hpp"
#include "batchscope/watch/watch.hpp"
#include "rule_hit.hpp"

namespace batchscope::watch {

// Turns what rules see from moment to moment into findings that begin and end.
class FindingTracker {
 public:
  explicit FindingTracker(const WatchOptions& options);

  void update(int64_t now_ns, RuleHits candidates);

  bool is_active(std::string_view id, const std::string& place) const;
  bool was_active(std::string_view id, const std::string& place, int64_t then_ns) const;
  // The last time that it stood, without an end where it stands now.
  std::optional<Episode> last_episode(std::string_view id, const std::string& place) const;
  // Of all times that are known.
  std::vector<Episode> episodes(std::string_view id, const std::string& place) const;
  std::vector<ActiveFinding> active() const;
  std::vector<ActiveFinding> take_changes();
  std::vector<ActiveFinding> all() const;

 private:
  // Sums over time.
  struct SharesOfTime {
    std::vector<double> seconds_of;  // share times seconds
    double seconds = 0;

    void add(std::span<const double> shares, double over_seconds);
    void add(const SharesOfTime& other);
  };
  struct Record {
    const Kind* kind = nullptr;
    ActiveFinding active;
    findings::Finding worst;  // of what it was since it began to stand, the last time
    double worst_weight = 0;
    int64_t first_since_ns = 0;  // that it ever stood
    int64_t times = 0;
    double gaps_seconds = 0;
    std::vector<Episode> earlier;  // times that it stood
    int64_t held_since_ns = 0;
    int64_t since_ns = 0;                 // told: that, or what the rule says
    std::optional<int64_t> until_ns;      // what the rule says
    int64_t held_ns = 0;                  // when it last held
    int64_t gone_ns = 0;                  // when it was first seen not to, after that
    SharesOfTime shares, earlier_shares;  // since held_since_ns; and when it stood before
    std::function<findings::Finding(std::span<const double>)> report_with;
    bool ends_at_once = false;
    bool is_active = false;
    bool changed = false;  // since the last call of take_changes()
  };
  // Kind and place.
  using Key = std::pair<std::string, std::string>;
  using Records = std::map<Key, Record, std::less<>>;

  // Null where there is none; find_reported() also where it never stood.
  const Record* find(std::string_view id, const std::string& place) const;
  const Record* find_reported(std::string_view id, const std::string& place) const;
  static Episode last_episode_of(const Record& record);
  static std::vector<Episode> episodes_of(const Record& record);
  static findings::Finding final_finding(const Record& record);
  void count(int64_t now_ns, const RuleHit& candidate, Record& record) const;
  static void take(RuleHit candidate, Record& record);
  static ActiveFinding remembered_as(const Record& record);
  void hold(int64_t now_ns, RuleHit candidate);
  void raise(const Key& key, Record& record);
  static void begin(Record& record);
  static void end(Record& record);
  int64_t wait_ns(const Key& key, const Kind& kind) const;
  void forget(int64_t now_ns);

  int64_t raise_ns_, clear_ns_, gap_ns_;
  double part_seconds_;  // of a window
  int64_t updated_ns_ = 0;
  std::size_t remembered_;
  Records records_;
};

}  // namespace batchscope::watch
