#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <unordered_set>
#include <vector>

#include "batchscope/attribution/attribution.hpp"
#include "correlations.hpp"
#include "device_activity.hpp"
#include "host_states.hpp"

namespace batchscope::attribution {

// The states of the host's tracks, made when one is asked for.
class HostTracks {
 public:
  HostTracks(const trace::Trace& trace, const std::vector<NameClass>& classes,
             const Correlations& correlations)
      : trace_(trace), classes_(classes), pageable_(pageable_copies(trace, correlations)) {}

  const std::vector<HostStretch>& states_of(uint32_t track);
  bool waits_for_a_copy(uint32_t call) const { return pageable_.contains(call); }

 private:
  const trace::Trace& trace_;
  const std::vector<NameClass>& classes_;
  std::unordered_set<uint32_t> pageable_;
  std::map<uint32_t, std::vector<HostStretch>> states_;
};

// Says of one device's idle time why it was idle. Gaps are asked for in the order of time.
class GapCauses {
 public:
  GapCauses(const trace::Trace& trace, const std::vector<NameClass>& classes,
            const Correlations& correlations, const DeviceActivity& device, HostTracks& hosts);

  // The gap in pieces, added to `pieces`. `next`: an index into the device's rows of what ends it;
  // past them where nothing does.
  void explain(Span gap, size_t next, std::vector<Piece>& pieces);

  int64_t orphans() const { return orphans_; }
  // The thread that explains a gap that this row ends; nothing where no thread starts anything.
  std::optional<uint32_t> thread_of(size_t next) const;

 private:
  void explain_by_host(Span span, uint32_t track, std::vector<Piece>& pieces);
  void explain_hole(Span span, const HostStretch* before, const HostStretch* after, uint32_t track,
                    std::vector<Piece>& pieces);
  bool explain_by_others(Span span, uint32_t track, std::vector<Piece>& pieces);
  void explain_launch(Span span, uint32_t launch, bool was_queued, std::vector<Piece>& pieces);
  void explain_delay(Span span, int64_t process, std::vector<Piece>& pieces);
  void credit_waits(Span gap, uint32_t track, size_t first_piece, std::vector<Piece>& pieces);
  uint32_t earliest_launch(size_t next, int64_t start_ns) const;

  const trace::Trace& trace_;
  const std::vector<NameClass>& classes_;
  const DeviceActivity& device_;
  HostTracks& hosts_;
  std::vector<uint32_t> launches_;   // of each row of the device, or kNone
  std::vector<uint32_t> launchers_;  // tracks that started something, the busiest first
  int64_t orphans_ = 0;

  struct Credit {
    uint32_t wait = trace::kNone;  // the call that gave it
    int64_t left_ns = 0;
  };
  std::map<uint32_t, Credit> credits_;  // by track
};

}  // namespace batchscope::attribution
