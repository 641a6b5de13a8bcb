#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>

namespace batchscope::watch {

// Where loops that tell of their steps make none: before the first, after the last, while they
// evaluate or write a checkpoint. What GPUs do then is no news of the loop.
class Pauses {
 public:
  explicit Pauses(int64_t window_ns) : window_ns_(window_ns) {}

  // In the order of a source's times, or nearly; `step`: its number.
  void add_step(const std::string& source, int64_t step, int64_t time_ns, double seconds);
  // Whether all sources pause for most of this time, as far as is known now, or one does that makes
  // its steps beside another: which GPUs are its own nobody says. Never where no step was told, and
  // where they have paused for most of the last thirty windows: then that is the loop.
  bool hold(int64_t from_ns, int64_t to_ns, int64_t now_ns) const;
  // A longer time without a step is a pause: what any source is used to.
  int64_t longest_gap_ns() const;
  // The source that pauses now and made its last step when a GPU went idle, the earliest of them:
  // at that time, or before an evaluation that ended then.
  struct Stopped {
    int64_t last_step_ns = 0;
    bool has_ended = false;  // seconds_before_a_loop_has_ended() have passed
    bool another_went_on = false;
  };
  std::optional<Stopped> stopped_at(int64_t idle_since_ns, int64_t now_ns) const;

 private:
  struct Pause {
    int64_t from_ns = 0, to_ns = 0;
  };
  struct Source {
    int64_t last_step = 0, last_step_ns = 0;
    double last_step_seconds = 0;
    int64_t steps = 0, first_step_ns = 0;
    std::map<std::string, int64_t, std::less<>> beside;  // steps since whose last another made one
    std::deque<int64_t> gaps_ns;  // to the last steps, or what those took where that is longer
    std::deque<Pause> pauses;
    std::deque<Pause> first_steps;  // of the warm-up: what they took
    bool is_warm = false;

    int64_t typical_gap_ns() const;  // 0: not known
    int64_t longest_gap_ns(int64_t window_ns) const;
    bool pauses_now(int64_t now_ns, int64_t window_ns) const;
    double seconds_before_it_has_ended() const;
    bool has_ended(int64_t now_ns) const;
    int64_t paused_ns(int64_t from_ns, int64_t to_ns, int64_t now_ns, int64_t window_ns) const;
    // Several are told at once: each lies before those that were.
    void cover(int64_t step_ns);
    // Until so many steps are told that the usual one is known, each may be one that compiles.
    bool warms_up(int64_t now_ns) const;
    void note_first_step(int64_t time_ns, int64_t window_ns);
    void settle_first_steps(int64_t window_ns);
  };
  // The least of all sources.
  int64_t paused_ns(int64_t from_ns, int64_t to_ns, int64_t now_ns) const;
  // Not a training and its evaluation, which take turns.
  bool makes_steps_beside_another(const std::string& name, const Source& loop) const;
  // One that has not ended and makes steps most of the time, beside another.
  bool one_pauses(int64_t from_ns, int64_t to_ns, int64_t now_ns) const;

  // New names all the time are no reason never to judge.
  bool may_warm_up(int64_t first_step_ns);

  int64_t window_ns_;
  std::optional<int64_t> first_step_ns_;
  std::optional<int64_t> warm_up_ns_;  // of the first source that may warm up, of late
  std::map<std::string, Source, std::less<>> sources_;
};

}  // namespace batchscope::watch
