// write_events FOLDER COUNT: COUNT records of three scalars each, then its file's path, a line.
// With a negative COUNT it writes, and after the first record prints the path, until it is killed.
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string_view>
#include <vector>

#include "batchscope/exporter/event_file.hpp"

namespace {

constexpr int64_t kStart = 1'800'000'000'000'000'000;

std::vector<batchscope::exporter::Scalar> scalars_at(int64_t step) {
  const auto x = static_cast<double>(step);
  return {{"training/loss", std::exp(-x / 1000)},
          {"gpu/0/power_watts", 300 + x / 7},
          {"odd \"name\"/\xc3\xa9", std::ldexp(1.0, static_cast<int>(step % 200) - 100)}};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  int64_t count = 0;
  const std::string_view text = argv[2];
  std::from_chars(text.data(), text.data() + text.size(), count);
  auto file = batchscope::exporter::EventFile::create(argv[1], ".batchscope", kStart);
  if (!file) return 1;
  for (int64_t step = 0; count < 0 || step < count; ++step) {
    const auto scalars = scalars_at(step);
    if (!file->add_scalars(step, kStart + step * 250'000'000, scalars)) return 1;
    if (step > 0 && step != count - 1) continue;
    std::puts(file->path().c_str());
    std::fflush(stdout);
  }
  return 0;
}
