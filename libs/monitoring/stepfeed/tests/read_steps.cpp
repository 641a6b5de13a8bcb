// read_steps SOCKET COUNT: prints so many steps that were told there, as lines of a log;
// "listening" first. Gives up after a minute.
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string_view>
#include <thread>

#include "batchscope/stepfeed/step_feed.hpp"
#include "batchscope/telemetry/log_line.hpp"

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  int64_t wanted = 0;
  const std::string_view text = argv[2];
  std::from_chars(text.data(), text.data() + text.size(), wanted);
  auto feed = batchscope::stepfeed::StepFeed::listen(argv[1]);
  if (!feed) return 1;
  std::puts("listening");
  std::fflush(stdout);
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (feed->counts().steps < wanted) {
    if (std::chrono::steady_clock::now() > deadline) return 1;
    for (const auto& step : feed->poll(1)) {
      std::puts(batchscope::telemetry::to_line(step).c_str());
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return 0;
}
