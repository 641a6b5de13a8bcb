// A program with ranges of every kind, for tests of what a tool is shown of them.
#include <cstdio>
#include <optional>
#include <stdexcept>
#include <thread>

#include "batchscope/ranges/profiler.hpp"

namespace {

using batchscope::ranges::Profiler;
using batchscope::ranges::Range;

void nested(Profiler& profiler) {
  const Range outer = profiler.range("outer");
  for (int i = 0; i < 3; ++i) profiler.range("inner").end();
}

void begun(Profiler& profiler) {
  profiler.begin("begun");
  profiler.begin("begun inside");
  profiler.begin("left to end_all");
  profiler.end_all();
}

void thrown(Profiler& profiler) {
  const Range around = profiler.range("around a throw");
  try {
    const Range range = profiler.range("throws");
    throw std::runtime_error("on purpose");
  } catch (const std::runtime_error&) {
    profiler.range("after the throw").end();
  }
}

void out_of_turn(Profiler& profiler) {
  Range first = profiler.range("ends first");
  Range second = profiler.range("goes on");
  first.end();
  second.end();
}

void on_threads(Profiler& profiler) {
  const Range waiting = profiler.range("waits for threads");
  std::thread one([&] { profiler.range("on a thread").end(); });
  std::thread other([&] { profiler.range("on a thread").end(); });
  one.join();
  other.join();
}

void moved(Profiler& profiler) {
  Range range = profiler.range("ends elsewhere");
  std::thread([&] { range.end(); }).join();
  profiler.range("after it").end();
}

// The first is open beyond a profiler of its own, which takes it along.
void with_two_profilers(Profiler& profiler) {
  std::optional<Profiler> other(std::in_place);
  other->begin("of a profiler that goes");
  const Range inside = profiler.range("of another profiler");
  other.reset();
}

}  // namespace

int main() {
  Profiler profiler;
  nested(profiler);
  begun(profiler);
  thrown(profiler);
  out_of_turn(profiler);
  on_threads(profiler);
  moved(profiler);
  with_two_profilers(profiler);
  profiler.begin("left open");
  std::printf("%zu ranges\n", profiler.recording().ranges.size());
  return 0;
}
