#include "window/memory_history.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <functional>

#include "batchscope/stats/rng.hpp"
#include "samples.hpp"

namespace batchscope::watch {
namespace {

constexpr double kGiB = 1024.0 * 1024 * 1024;

// Every 10 seconds for so long; in bytes, of the second.
MemoryHistory history_of(double hours, const std::function<double(double)>& bytes) {
  MemoryHistory history;
  for (double t = 0; t < hours * 3600; t += 10) {
    history.add(kBeganNs + static_cast<int64_t>(t) * kSecondNs, bytes(t));
  }
  return history;
}

TEST(MemoryHistory, ALeakHasItsRate) {
  stats::Rng rng(1);
  const MemoryHistory history = history_of(
      0.5, [&](double t) { return 10 * kGiB + kGiB * t / 3600 + 0.01 * kGiB * rng.normal(); });
  ASSERT_TRUE(history.rise());
  EXPECT_NEAR(history.rise()->bytes_a_second * 3600 / kGiB, 1, 0.05);
  EXPECT_TRUE(history.rise()->interval.contains(history.rise()->bytes_a_second));
  EXPECT_LT(history.rise()->p, 1e-4);
}

TEST(MemoryHistory, ASlowLeakIsSeenAfterDays) {
  stats::Rng rng(2);
  const auto leak = [&](double t) {
    return 10 * kGiB + 0.01 * kGiB * t / 3600 + 0.2 * kGiB * rng.normal();
  };
  EXPECT_FALSE(history_of(2, leak).rise());
  const MemoryHistory history = history_of(24 * 9, leak);
  ASSERT_TRUE(history.rise());
  EXPECT_NEAR(history.rise()->bytes_a_second * 3600 / kGiB, 0.01, 0.002);
}

TEST(MemoryHistory, WhatGoesUpOnceOrComesDownAgainIsNone) {
  const auto none = [](const std::function<double(double)>& bytes) {
    bool rose = false;
    MemoryHistory history;
    for (int64_t t = 0; t < 3 * 3600; t += 10) {
      history.add(kBeganNs + t * kSecondNs, bytes(static_cast<double>(t)));
      rose = rose || history.rise();
    }
    return !rose;
  };
  EXPECT_TRUE(none([](double) { return 10 * kGiB; }));
  EXPECT_TRUE(none([](double t) { return t < 1800 ? kGiB : 20 * kGiB; })) << "a step";
  stats::Rng rng(3);
  EXPECT_TRUE(none([&](double t) {
    return (20 - 4 * std::exp(-t / 900) + 0.3 * rng.normal()) * kGiB;
  })) << "a warm-up";
  EXPECT_TRUE(none([](double t) { return (5 + std::fmod(t, 600) / 100) * kGiB; })) << "epochs";
  EXPECT_TRUE(none([](double t) { return (5 + std::floor(t / 3000)) * kGiB; })) << "blocks";
}

// 100 machines for half a day.
TEST(MemoryHistory, ARandomWalkIsRarelyOne) {
  int alarmed = 0;
  for (uint64_t seed = 1; seed <= 100; ++seed) {
    stats::Rng rng(seed);
    double at = 50 * kGiB;
    alarmed +=
        history_of(12, [&](double) { return at += 0.05 * kGiB * rng.normal(); }).rise() ? 1 : 0;
  }
  EXPECT_LE(alarmed, 3);
}

// Memory of epochs that last so long, which begin where the one before did, or higher.
int rises_of_epochs(double minutes, double higher) {
  MemoryHistory history;
  int rises = 0;
  for (double t = 0; t < 6 * 3600; t += 10) {
    const double epoch = std::floor(t / (60 * minutes)), within = t / (60 * minutes) - epoch;
    history.add(kBeganNs + static_cast<int64_t>(t) * kSecondNs,
                (10 + 8 * within + higher * epoch) * kGiB);
    if (epoch >= 1 && history.rise()) ++rises;
  }
  return rises;
}

TEST(MemoryHistory, WhatComesBackToWhereItWasIsNoLeak) {
  for (const double minutes : {25.0, 40.0, 60.0, 90.0}) {
    EXPECT_EQ(rises_of_epochs(minutes, 0), 0) << minutes;
    EXPECT_GT(rises_of_epochs(minutes, 2), 0) << minutes;
  }
}

TEST(MemoryHistory, ALeakThatAcceleratesIsOneAndHasItsLatestRate) {
  for (const double power : {1.2, 2.0, 3.0}) {
    const double bytes = 60 * kGiB, seconds = 7200;
    const MemoryHistory history =
        history_of(2, [&](double t) { return 10 * kGiB + bytes * std::pow(t / seconds, power); });
    ASSERT_TRUE(history.rise()) << power;
    const double at_the_end = power * bytes / seconds;
    EXPECT_GT(history.rise()->bytes_a_second, 0.7 * at_the_end) << power;
    EXPECT_LT(history.rise()->bytes_a_second, at_the_end) << power;
  }
}

TEST(MemoryHistory, ARiseEndsSoonAfterItStops) {
  stats::Rng rng(5);
  MemoryHistory history;
  double last = 0;
  for (double t = 0; t < 3 * 3600; t += 5) {
    const double bytes = (10 + 4 * std::min(t, 2700.0) / 3600 + 0.01 * rng.normal()) * kGiB;
    history.add(kBeganNs + static_cast<int64_t>(t) * kSecondNs, bytes);
    if (history.rise()) last = t;
  }
  EXPECT_GT(last, 2700);
  EXPECT_LT(last, 2700 + 240);
}

// With noise of half a gigabyte that lasts for minutes: by when it was first seen.
TEST(MemoryHistory, ALeakUnderSlowNoiseGoesOnAndItsIntervalHoldsTheRate) {
  int asked = 0, held = 0, seen = 0;
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    stats::Rng rng(seed);
    MemoryHistory history;
    double noise = 0;
    bool was_seen = false;
    for (double t = 0; t < 3 * 3600; t += 10) {
      const double stays = std::exp(-10.0 / 200);
      noise = stays * noise + std::sqrt(1 - stays * stays) * 0.3 * rng.normal();
      history.add(kBeganNs + static_cast<int64_t>(t) * kSecondNs,
                  (20 + 8 * t / 3600 + noise) * kGiB);
      was_seen = was_seen || history.rise();
      if (!was_seen || std::fmod(t, 60) != 0) continue;
      ++asked;
      if (!history.rise()) continue;
      ++seen;
      held += history.rise()->interval.contains(8 * kGiB / 3600) ? 1 : 0;
    }
  }
  EXPECT_GT(asked, 20 * 120);
  EXPECT_GT(seen, 0.9 * asked);
  EXPECT_GT(held, 0.93 * seen);
}

TEST(MemoryHistory, BeginsAnewAfterALongGap) {
  MemoryHistory history = history_of(0.5, [](double t) { return kGiB * (10 + t / 3600); });
  ASSERT_TRUE(history.rise());
  history.add(kBeganNs + 4 * 3600 * kSecondNs, 20 * kGiB);
  EXPECT_FALSE(history.rise());
}

}  // namespace
}  // namespace batchscope::watch
