#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <unordered_set>
#include <utility>
#include <vector>

#include "activity/correlations.hpp"
#include "activity/device_activity.hpp"
#include "activity/host_states.hpp"
#include "batchscope/attribution/attribution.hpp"
#include "teams.hpp"
#include "wait_credit.hpp"

namespace batchscope::attribution {

// The states of the host's tracks, made when one is asked for.
class HostTracks {
 public:
  HostTracks(const trace::Trace& trace, const std::vector<NameClass>& classes,
             const Correlations& correlations)
      : trace_(trace), classes_(classes), pageable_(pageable_copies(trace, correlations)) {}

  const std::vector<HostStretch>& states_of(uint32_t track) { return of(track).states; }
  int64_t long_pause_of(uint32_t track) { return of(track).long_pause_ns; }
  bool waits_for_a_copy(uint32_t call) const { return pageable_.contains(call); }

 private:
  struct Host {
    std::vector<HostStretch> states;
    int64_t long_pause_ns = 0;
  };
  const Host& of(uint32_t track);

  const trace::Trace& trace_;
  const std::vector<NameClass>& classes_;
  std::unordered_set<uint32_t> pageable_;
  std::map<uint32_t, Host> hosts_;
};

// Says of one device's idle time why it was idle. Gaps are asked for in the order of time.
class GapCauses {
 public:
  // `device`: which of the devices.
  GapCauses(const trace::Trace& trace, const std::vector<NameClass>& classes,
            const Correlations& correlations, const std::vector<DeviceActivity>& devices,
            size_t device, HostTracks& hosts);

  // The gap in pieces, added to `pieces`. `next`: an index into the device's rows of what ends it;
  // past them where nothing does. `is_blamed`: it counts in blamed().
  void explain(Span gap, size_t next, bool is_blamed, std::vector<Piece>& pieces);

  // What the time that was explained lies in: by cause and name, a row of the longest of them.
  struct Blamed {
    int64_t ns = 0;
    int64_t gaps = 0;
    int64_t longest_ns = 0;
    uint32_t row = trace::kNone;
    int64_t last_gap = -1;
  };
  using BlamedRows = std::map<std::pair<Part, uint32_t>, Blamed>;  // by cause and number of a name
  const BlamedRows& blamed() const { return blamed_; }
  // Of the gap that was explained last, what most of its time of that cause lies in.
  uint32_t row_of(Part cause) const;

  int64_t orphans() const { return orphans_; }
  // The thread that explains a gap that this row ends; nothing where no thread starts anything.
  std::optional<uint32_t> thread_of(size_t next) const;

 private:
  using Tracks = std::vector<uint32_t>;

  // A piece of the gap that is looked at, which lies in that row.
  void add_in(uint32_t row, Span span, Part part, std::vector<Piece>& pieces);
  std::vector<uint32_t> launchers() const;
  std::vector<uint32_t> who_explains(uint32_t track) const;
  void explain_by_host(Span span, Span hole, const Tracks& tracks, size_t level,
                       std::vector<Piece>& pieces);
  void explain_hole(Span span, Span hole, const Tracks& tracks, size_t level,
                    std::vector<Piece>& pieces);
  void explain_launch(Span span, uint32_t launch, bool was_queued, std::vector<Piece>& pieces);
  void explain_latency(Span span, int64_t usual_ns, int64_t process, std::vector<Piece>& pieces);
  void explain_delay(Span span, int64_t process, std::vector<Piece>& pieces);
  void explain_stall(Span span, int64_t process, std::vector<Piece>& pieces);
  void credit_waits(Span gap, uint32_t track, size_t first_piece, std::vector<Piece>& pieces);
  uint32_t earliest_launch(size_t next, int64_t start_ns) const;
  bool was_launched_before(size_t next) const;

  const trace::Trace& trace_;
  const std::vector<NameClass>& classes_;
  const std::vector<DeviceActivity>& devices_;
  const DeviceActivity& device_;
  HostTracks& hosts_;
  std::vector<uint32_t> launches_;  // of each row of the device, or kNone
  int64_t orphans_ = 0;
  std::map<uint32_t, size_t> first_launched_;  // by stream: an index into the device's rows
  Tracks launchers_;                           // tracks that started something, the busiest first
  Teams teams_;
  std::vector<WaitCredit> credits_;  // by team
  BlamedRows blamed_;
  bool is_blamed_ = false;  // the gap that is looked at
  int64_t gap_ = -1;        // its number
  std::map<Part, Blamed> in_gap_;
};

}  // namespace batchscope::attribution
