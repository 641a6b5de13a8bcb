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
#include "idle_places.hpp"
#include "lost_work.hpp"
#include "overlap_budget.hpp"
#include "thread_groups.hpp"

namespace batchscope::attribution {

// The states of the host's tracks, made when one is asked for.
class HostTracks {
 public:
  HostTracks(const trace::Trace& trace, const std::vector<NameClass>& classes,
             const Correlations& correlations)
      : trace_(trace), classes_(classes), pageable_(pageable_copies(trace, correlations)) {}

  const std::vector<HostSpan>& states_of(uint32_t track) { return of(track).states; }
  int64_t long_pause_of(uint32_t track) { return of(track).long_pause_ns; }
  bool waits_for_a_copy(uint32_t call) const { return pageable_.contains(call); }

 private:
  struct Host {
    std::vector<HostSpan> states;
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
  // `device`: which of the devices. `hidden`: when work of the device may have run that was not
  // recorded. What lies within `wall`, which outlives this, counts in places().
  GapCauses(const trace::Trace& trace, const std::vector<NameClass>& classes,
            const Correlations& correlations, const std::vector<DeviceActivity>& devices,
            size_t device, const std::vector<HiddenSpan>& hidden, HostTracks& hosts,
            const Spans& wall);

  // The gap in pieces, added to `pieces`. `next`: an index into the device's rows of what ends it;
  // past them where nothing does.
  void explain(Span gap, size_t next, std::vector<Piece>& pieces);

  // What the idle time that was explained lies in.
  const IdleSites& places() const { return places_; }
  int64_t hidden_ns() const { return hidden_ns_; }

  int64_t orphans() const { return orphans_; }
  // The thread that explains a gap that this row ends; nothing where no thread starts anything.
  std::optional<uint32_t> thread_of(size_t next) const;

 private:
  using Tracks = std::vector<uint32_t>;

  void tell(Span span, Part part, uint32_t row = trace::kNone, uint32_t track = trace::kNone);
  std::vector<uint32_t> launchers() const;
  std::vector<uint32_t> who_explains(uint32_t track) const;
  void explain_by_host(Span span, Span hole, const Tracks& tracks, size_t level);
  void explain_hole(Span span, Span hole, const Tracks& tracks, size_t level);
  void explain_launched(Span gap, size_t next, uint32_t launch);
  void explain_launch(Span span, size_t next, uint32_t launch);
  void explain_orphan(Span gap, size_t next, uint32_t track);
  void credit_waits(Span gap, uint32_t track);
  void hide_lost(Span gap);
  int64_t usual_latency() const;
  uint32_t earliest_launch(size_t next, int64_t start_ns) const;
  bool is_held(Span gap, size_t next, uint32_t launch) const;
  bool was_launched_before(size_t next) const;
  int64_t others_busy_since(Span span) const;
  std::vector<HiddenSpan>::const_iterator hidden_from(Span gap) const;
  bool may_hide_work(Span gap) const;
  bool was_queued(Span gap, size_t next) const;

  const trace::Trace& trace_;
  const std::vector<NameClass>& classes_;
  const std::vector<DeviceActivity>& devices_;
  const DeviceActivity& device_;
  const std::vector<HiddenSpan>& hidden_;
  HostTracks& hosts_;
  const Spans& wall_;
  std::vector<uint32_t> launches_;  // of each row of the device, or kNone
  int64_t orphans_ = 0;
  std::map<uint32_t, size_t> first_launched_;  // by stream: an index into the device's rows
  Tracks launchers_;                           // tracks that started something, the busiest first
  ThreadGroups teams_;
  std::vector<OverlapBudget> credits_;  // by team
  std::vector<bool> continues_;         // of each row: its call started another one before
  IdleSites places_;
  int64_t hidden_ns_ = 0;
  int64_t usual_ns_ = 0;  // from a call to the start of what it launched, where nothing holds that
  int64_t late_ns_ = 0;   // what starts so soon after its call was not held back
  std::vector<CausedPiece> reported_;  // of the gap that is looked at
};

}  // namespace batchscope::attribution
