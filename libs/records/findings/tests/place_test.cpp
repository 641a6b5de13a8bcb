#include "batchscope/findings/place.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "batchscope/findings/finding.hpp"
#include "testing/runs/sample_run.hpp"

namespace batchscope::findings {
namespace {

using nlohmann::json;
using std::chrono::sys_time;

constexpr GpuMoment kMoment{
    2, sys_time<std::chrono::milliseconds>(std::chrono::milliseconds(1'767'323'045'007))};

const GpuMoment kSlice{0, kMoment.time, 1};
const ProcessMoment kProcess{4711, "python3", kMoment.time};
constexpr MachineMoment kMachine{kMoment.time};

// As a document tells it, in the place of a finding about one batch size.
json where_of(Place place) {
  Finding finding;
  finding.where = std::move(place);
  finding.batch_sizes = {4};
  return json::parse(to_json(finding))["where"];
}

TEST(Place, OnlyAConfigurationIsOne) {
  const schema::RunConfig config = schema::sample_config();
  const Place place = config;
  ASSERT_NE(config_of(place), nullptr);
  EXPECT_EQ(*config_of(place), config);
  for (const Place& other : {Place{}, Place{TraceStep{3, 120}}, Place{kMoment}, Place{kSlice},
                             Place{kProcess}, Place{kMachine}}) {
    EXPECT_EQ(config_of(other), nullptr);
    EXPECT_NE(other, place);
  }
}

TEST(Place, ForAReader) {
  EXPECT_EQ(in_words({}), "");
  EXPECT_EQ(in_words(schema::sample_config()), describe(schema::sample_config()));
  EXPECT_EQ(in_words(TraceStep{3, 120}), "rank 3, step 120");
  EXPECT_EQ(in_words(kMoment), "GPU 2 at 2026-01-02T03:04:05.007Z");
  EXPECT_EQ(in_words(kSlice), "GPU 0, slice 1 at 2026-01-02T03:04:05.007Z");
  EXPECT_EQ(in_words(kProcess), "process 4711 (python3) at 2026-01-02T03:04:05.007Z");
  EXPECT_EQ(in_words(kMachine), "the machine at 2026-01-02T03:04:05.007Z");
}

TEST(Place, InJson) {
  EXPECT_EQ(where_of({}), json::parse(R"({"batch_sizes":[4]})"));
  EXPECT_EQ(where_of(schema::sample_config())["model"], schema::sample_config().model);
  EXPECT_EQ(where_of(TraceStep{3, 120}), json::parse(R"({"rank":3,"step":120,"batch_sizes":[4]})"));
  EXPECT_EQ(where_of(kMoment),
            json::parse(R"({"gpu":2,"time":"2026-01-02T03:04:05.007Z","batch_sizes":[4]})"));
  const json time = "2026-01-02T03:04:05.007Z";
  EXPECT_EQ(where_of(kSlice),
            json({{"gpu", 0}, {"slice", 1}, {"time", time}, {"batch_sizes", {4}}}));
  EXPECT_EQ(where_of(kProcess),
            json({{"pid", 4711}, {"process", "python3"}, {"time", time}, {"batch_sizes", {4}}}));
  EXPECT_EQ(where_of(kMachine), json({{"time", time}, {"batch_sizes", {4}}}));
}

}  // namespace
}  // namespace batchscope::findings
