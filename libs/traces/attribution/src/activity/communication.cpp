#include "communication.hpp"

#include "batchscope/base/strings.hpp"
#include "communicating_names.hpp"

namespace batchscope::attribution {
namespace {

using base::contains_text;
using trace::ActivityKind;

bool is_of_the_framework(std::string_view name) {
  return contains_text(name, "at::native::");
}

// Frames that only hand a call on to what is named further out.
bool hands_on(std::string_view frame) {
  return frame.starts_with("<built-in") || contains_text(frame, "torch/_ops.py") ||
         contains_text(frame, "triton/") || contains_text(frame, "ctypes");
}

// Which calls lie in an operator or a function that communicates: the innermost decides.
class Launches {
 public:
  Launches(const trace::Trace& trace, const std::vector<NameClass>& classes)
      : trace_(trace), classes_(classes), communicate_(trace.activities.size()) {
    for (size_t track = 0; track < trace.tracks.size(); ++track) {
      if (!trace.tracks[track].on_device()) add_thread(track);
    }
  }

  bool communicates(size_t call) const { return communicate_[call]; }

 private:
  void add_thread(size_t track) {
    const auto& rows = trace_.activities;
    std::vector<size_t> open;
    for (size_t row = trace_.first_of_track[track]; row < trace_.first_of_track[track + 1]; ++row) {
      while (!open.empty() && rows.end_ns(open.back()) <= rows.start_ns[row]) open.pop_back();
      const ActivityKind kind = rows.kind[row];
      if (kind == ActivityKind::runtime) communicate_[row] = innermost_communicates(open);
      if (kind == ActivityKind::op || kind == ActivityKind::python) open.push_back(row);
    }
  }

  bool innermost_communicates(const std::vector<size_t>& open) const {
    for (auto row = open.rbegin(); row != open.rend(); ++row) {
      if (classes_[trace_.activities.name[*row]].communicates) return true;
      const bool is_frame = trace_.activities.kind[*row] == ActivityKind::python;
      if (!is_frame || !hands_on(trace_.name_of(*row))) return false;
    }
    return false;
  }

  const trace::Trace& trace_;
  const std::vector<NameClass>& classes_;
  std::vector<bool> communicate_;
};

struct Vote {
  int64_t yes = 0;
  int64_t all = 0;
  bool is_for() const { return 2 * yes > all; }
};

template <class Use>
void for_each_kernel(const trace::Trace& trace, size_t track, Use use) {
  for (size_t row = trace.first_of_track[track]; row < trace.first_of_track[track + 1]; ++row) {
    if (trace.activities.kind[row] == ActivityKind::kernel) use(row);
  }
}

bool host_communicates(const trace::Trace& trace, const std::vector<NameClass>& classes) {
  const auto& rows = trace.activities;
  for (size_t row = 0; row < rows.size(); ++row) {
    const bool may_tell =
        rows.kind[row] == ActivityKind::op || rows.kind[row] == ActivityKind::python;
    if (may_tell && classes[rows.name[row]].communicates) return true;
  }
  return false;
}

void add_by_launch(const trace::Trace& trace, const Correlations& correlations,
                   std::vector<NameClass>& classes) {
  if (!host_communicates(trace, classes)) return;
  const Launches launches(trace, classes);
  std::vector<Vote> votes(trace.names.size());
  for (size_t track = 0; track < trace.tracks.size(); ++track) {
    if (!trace.tracks[track].on_device()) continue;
    for_each_kernel(trace, track, [&](size_t row) {
      const auto call = correlations.launch_of(row);
      if (!call) return;
      Vote& vote = votes[trace.activities.name[row]];
      vote.yes += launches.communicates(*call) ? 1 : 0;
      ++vote.all;
    });
  }
  for (size_t name = 0; name < votes.size(); ++name) {
    const bool is_new = votes[name].is_for() && !is_of_the_framework(trace.names[name]);
    classes[name].communicates = classes[name].communicates || is_new;
  }
}

// Four fifths of a stream's time, in at least so many kernels.
constexpr int64_t kFewestCollectives = 4;

bool stream_communicates(const trace::Trace& trace, size_t track,
                         const std::vector<NameClass>& classes) {
  double communicating = 0;
  double all = 0;
  int64_t kernels = 0;
  for_each_kernel(trace, track, [&](size_t row) {
    const auto duration = static_cast<double>(trace.activities.duration_ns[row]);
    const bool communicates = classes[trace.activities.name[row]].communicates;
    kernels += communicates ? 1 : 0;
    communicating += communicates ? duration : 0;
    all += duration;
  });
  return kernels >= kFewestCollectives && communicating >= 0.8 * all;
}

void add_by_stream(const trace::Trace& trace, std::vector<NameClass>& classes) {
  for (size_t track = 0; track < trace.tracks.size(); ++track) {
    if (!trace.tracks[track].on_device() || !stream_communicates(trace, track, classes)) continue;
    for_each_kernel(trace, track, [&](size_t row) {
      NameClass& name = classes[trace.activities.name[row]];
      const std::string_view text = trace.name_of(row);
      if (name.communicates || is_of_the_framework(text)) return;
      name.communicates = may_communicate(text);
    });
  }
}

}  // namespace

void find_communication(const trace::Trace& trace, const Correlations& launches,
                        std::vector<NameClass>& classes) {
  add_by_launch(trace, launches, classes);
  add_by_stream(trace, classes);
}

}  // namespace batchscope::attribution
