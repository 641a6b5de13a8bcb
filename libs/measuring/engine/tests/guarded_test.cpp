#include "batchscope/engine/guarded.hpp"

#include <gtest/gtest.h>

#include <new>
#include <stdexcept>

namespace batchscope::engine {
namespace {

using base::ErrorKind;
using base::Result;

constexpr ExceptionWords kPlain{
    .framework = "Frame",
    .useful = [](std::string_view what) { return std::string(what.substr(0, what.find('\n'))); },
    .device_fix = "end what else takes memory of the device"};

struct OwnException {
  base::MemoryLack lack;
};

std::optional<Thrown> read_own(const std::exception_ptr& thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const OwnException& e) {
    return Thrown{"of its own", e.lack};
  } catch (...) {
    return std::nullopt;
  }
}

std::optional<std::string_view> known_fix(std::string_view what) {
  if (what.find("two devices") == what.npos) return std::nullopt;
  return "use one device";
}

ExceptionWords rich() {
  ExceptionWords words = kPlain;
  words.read_own = read_own;
  words.known_fix = known_fix;
  return words;
}

// What becomes of an exception in the body.
base::Error thrown(const auto& exception, const ExceptionWords& words = kPlain) {
  const auto result = guarded(words, ErrorKind::input, "model.x", "mend it",
                              [&]() -> Result<void> { throw exception; });
  return result ? base::Error{} : result.error();
}

TEST(Guarded, PassesOnWhatTheBodyReturns) {
  const auto good = guarded(kPlain, ErrorKind::failed, "", "", []() -> Result<int> { return 3; });
  ASSERT_TRUE(good);
  EXPECT_EQ(*good, 3);
  const auto bad = guarded(kPlain, ErrorKind::failed, "", "", []() -> Result<int> {
    return base::Error{ErrorKind::usage, "what", "where", "fix"};
  });
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().kind, ErrorKind::usage);
  EXPECT_EQ(bad.error().fix, "fix");
}

TEST(Guarded, TurnsExceptionsIntoTheGivenKind) {
  const base::Error error = thrown(std::runtime_error("no such layer\nframe #0"));
  EXPECT_EQ(error.kind, ErrorKind::input);
  EXPECT_EQ(error.what, "no such layer");
  EXPECT_EQ(error.where, "model.x");
  EXPECT_EQ(error.fix, "mend it");
}

TEST(Guarded, CatchesWhatIsNoException) {
  const base::Error error = thrown(7);
  EXPECT_EQ(error.kind, ErrorKind::input);
  EXPECT_EQ(error.what, "it threw an unknown exception");
}

TEST(Guarded, NamesTheFrameworkThatGivesNoReason) {
  EXPECT_EQ(thrown(std::runtime_error("")).what, "Frame gave no reason");
}

TEST(Guarded, KnowsExhaustedMemoryByTypeAndByPhrase) {
  for (const base::Error& error :
       {thrown(std::bad_alloc()), thrown(std::runtime_error("not enough memory")),
        thrown(std::runtime_error("at x.cpp\nCannot allocate memory"))}) {
    EXPECT_EQ(error.kind, ErrorKind::out_of_memory) << error.what;
    EXPECT_EQ(error.where, "model.x");
    EXPECT_NE(error.fix.find("--memory-limit"), std::string::npos);
  }
}

TEST(Guarded, SaysWhereWordsAreNoProof) {
  const base::Error error = thrown(std::runtime_error("NewRT: memory alloc rejected"));
  EXPECT_EQ(error.kind, ErrorKind::input);
  EXPECT_TRUE(base::is_perhaps_memory(error.what)) << error.what;
}

TEST(Guarded, AdvisesOnTheDevicesMemoryWhereThatIsOut) {
  const base::Error error = thrown(std::runtime_error("[GPU] out of memory"));
  EXPECT_EQ(error.kind, ErrorKind::out_of_memory);
  EXPECT_EQ(error.fix, kPlain.device_fix) << "the limit of --memory-limit is the host's";
  EXPECT_EQ(thrown(std::runtime_error("[GPU] is lost")).kind, ErrorKind::input);
}

TEST(Guarded, AsksTheFrameworkForItsOwnTypesFirst) {
  const base::Error error = thrown(OwnException{base::MemoryLack::device}, rich());
  EXPECT_EQ(error.kind, ErrorKind::out_of_memory);
  EXPECT_EQ(error.what, "of its own");
  EXPECT_EQ(error.fix, kPlain.device_fix);
  EXPECT_EQ(thrown(OwnException{base::MemoryLack::none}, rich()).kind, ErrorKind::input);
  EXPECT_EQ(thrown(std::bad_alloc(), rich()).what, "the host is out of memory");
}

TEST(Guarded, PrefersAFixThatIsKnown) {
  EXPECT_EQ(thrown(std::runtime_error("tensors of two devices"), rich()).fix, "use one device");
  EXPECT_EQ(thrown(std::runtime_error("tensors of three"), rich()).fix, "mend it");
}

TEST(Shortened, CutsLongMessagesAlone) {
  EXPECT_EQ(shortened("short"), "short");
  EXPECT_EQ(shortened(std::string(400, 'x')), std::string(400, 'x'));
  EXPECT_EQ(shortened(std::string(401, 'x')), std::string(400, 'x') + "...");
  EXPECT_EQ(thrown(std::runtime_error(std::string(1000, 'x'))).what.size(), 403u);
}

}  // namespace
}  // namespace batchscope::engine
