#include <gtest/gtest.h>

#include "batchscope/api/doctor.hpp"

namespace batchscope::api {
namespace {

TEST(Calibrate, MeasuresALawAgainstItself) {
  CalibrationOptions options;
  options.model = "synthetic:affine:5ms,2ms;visit_sd=0.02";
  options.blocks = 6;
  options.experiments = 10;
  const auto done = calibrate(Program{}, options);
  ASSERT_TRUE(done) << base::to_string(done.error());
  EXPECT_EQ(done->noise.pairs, 6);
  EXPECT_GT(done->noise.visit_sd, 0.001);
  EXPECT_EQ(done->limits.experiments, 10);
}

TEST(Calibrate, AModelThatThereIsNotIsAnError) {
  CalibrationOptions options;
  options.model = "synthetic:nonsense";
  EXPECT_FALSE(calibrate(Program{}, options));
}

}  // namespace
}  // namespace batchscope::api
