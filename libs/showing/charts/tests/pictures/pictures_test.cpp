#include "batchscope/charts/pictures.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "batchscope/charts/scale.hpp"
#include "svg/read_picture.hpp"
#include "testing/summaries/answered.hpp"
#include "testing/summaries/fixtures.hpp"
#include "testing/summaries/tuned.hpp"

namespace batchscope::charts {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr double kPixel = 0.02;  // what two decimals of places allow

// As the picture decides.
bool is_logarithmic(const SizeFigure& figure) {
  ValueAxis values;
  for (const SizeSeries& series : figure.series) {
    for (const SizePoint& point : series.points) {
      values.include(point.value);
      if (point.reference) values.include(*point.reference);
    }
  }
  return figure.logarithmic && !figure.from_zero && !figure.stems && values.logarithmic();
}

double span_of(const ReadPicture& read) {
  return std::abs(read.up.back().place - read.up.front().place);
}

// Every point is where the ticks say that its value is.
void expect_values(const SizeFigure& figure) {
  const ReadPicture read(picture(figure));
  ASSERT_GE(read.up.size(), 2u) << figure.texts.id;
  const bool log = is_logarithmic(figure);
  std::multimap<int64_t, double> values;
  for (const SizeSeries& series : figure.series) {
    for (const SizePoint& point : series.points) values.emplace(point.size, point.value);
  }
  ASSERT_EQ(read.points.size(), values.size()) << figure.texts.id;
  const double low = std::stod(read.up.front().text), high = std::stod(read.up.back().text);
  const double error = kPixel / span_of(read) * (log ? std::log(high / low) : high - low);
  for (const ReadPicture::Point& point : read.points) {
    const int64_t size = std::stoll(point.title.substr(6));
    const double found = read.value(point.at.y, log);
    const auto [from, to] = values.equal_range(size);
    EXPECT_TRUE(std::any_of(from, to,
                            [&](const auto& each) {
                              const double apart =
                                  log ? std::log(found / each.second) : found - each.second;
                              return std::abs(apart) <= error;
                            }))
        << figure.texts.id << ": batch " << size << " is drawn at " << found;
    for (const ReadPicture::Mark& tick : read.across) {
      if (tick.text != std::to_string(size)) continue;
      EXPECT_NEAR(tick.place, point.at.x, kPixel);
    }
  }
}

TEST(SizePictures, AreWhereTheNumbersAre) {
  for (const findings::Summary& summary :
       {fixtures::answered(), fixtures::one_group(), fixtures::three_groups(),
        fixtures::many_sizes(), fixtures::single_size(), fixtures::seed_table()}) {
    for (const SizeFigure& figure : size_figures(summary)) expect_values(figure);
    for (const SizeFigure& figure : memory_figures(summary.groups)) expect_values(figure);
    if (const auto figure = residual_figure(summary)) expect_values(*figure);
  }
}

SizeFigure random_figure(std::mt19937_64& random) {
  const auto pick = [&](int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(random);
  };
  const auto real = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  const double unit = std::pow(10, pick(-7, 8)), spread = std::pow(10, real(0, 3));
  SizeFigure figure{.texts = {"random", "A title", "amount (unit)", "A note."},
                    .logarithmic = pick(0, 1) == 1,
                    .stems = pick(0, 5) == 0};
  const int count = pick(1, 5);
  for (int s = 0; s < count; ++s) {
    SizeSeries series{"series", std::size_t(s), std::size_t(s)};
    const int sizes = pick(1, 20);
    for (int64_t size = pick(1, 3); static_cast<int>(series.points.size()) < sizes;
         size += pick(1, 40)) {
      SizePoint point{.size = size, .value = unit * std::pow(spread, real(0, 1)), .brief = "1.234"};
      const double half = point.value * real(0, 2);
      if (pick(0, 2) > 0) point.interval = {point.value - half, point.value + half};
      if (pick(0, 9) == 0) point.label = "+26 %, proven";
      if (pick(0, 3) > 0 || series.points.empty()) series.points.push_back(point);
    }
    figure.series.push_back(std::move(series));
  }
  return figure;
}

TEST(SizePictures, OfAnyNumbersCanBeReadBack) {
  std::mt19937_64 random(11);
  for (int i = 0; i < 80 && !HasFailure(); ++i) {
    SCOPED_TRACE(i);
    expect_values(random_figure(random));
  }
}

TEST(SizePictures, LeaveNoLabelOnAnother) {
  std::mt19937_64 random(12);
  const std::regex label("<text class=\"halo ink\" x=\"([^\"]*)\" y=\"([^\"]*)\"[^>]*>([^<]*)<");
  for (int i = 0; i < 40 && !HasFailure(); ++i) {
    const std::string svg = picture(random_figure(random));
    std::vector<Spot> seen;
    for (std::sregex_iterator at(svg.begin(), svg.end(), label), end; at != end; ++at) {
      const Spot spot{std::stod((*at)[1]), std::stod((*at)[2])};
      for (const Spot& other : seen) {
        EXPECT_FALSE(std::abs(spot.x - other.x) < 30 && std::abs(spot.y - other.y) < 12);
      }
      seen.push_back(spot);
    }
  }
}

TEST(SizePictures, HaveATitleOfTheirOwnTheLawAndItsTolerance) {
  std::set<std::string> titles;
  const auto figures = size_figures(fixtures::answered());
  for (const SizeFigure& figure : figures) {
    const std::string svg = picture(figure);
    titles.insert(ReadPicture(svg).texts.front());
    EXPECT_THAT(svg, HasSubstr("opacity=\"0.14\"")) << figure.texts.id;
    EXPECT_THAT(svg, HasSubstr("law of the sizes: ")) << figure.texts.id;
  }
  EXPECT_EQ(titles.size(), figures.size());
}

TEST(SizePictures, MarkProvenAndSuspectSizes) {
  const std::string proven = picture(size_figures(fixtures::one_group())[0]);
  EXPECT_THAT(proven, HasSubstr(">proven<"));
  EXPECT_THAT(proven, HasSubstr("class=\"line interval"));
  const std::string suspect = picture(size_figures(fixtures::seed_table())[0]);
  EXPECT_THAT(suspect, HasSubstr("Outline: suspect."));
  EXPECT_THAT(suspect, HasSubstr("class=\"hollow"));
  EXPECT_THAT(suspect, Not(HasSubstr("class=\"line interval")));
}

TEST(ResidualFigure, ShowsHowFarSizesAreOffTheLaw) {
  const auto figure = residual_figure(fixtures::answered());
  ASSERT_TRUE(figure);
  // 291.4 ms against 4.9 ms + 8 x 31.2 ms.
  EXPECT_NEAR(figure->series[0].points.back().value, 14.499, 0.001);
  EXPECT_FALSE(residual_figure(fixtures::many_sizes())) << "no law was fitted";
}

TEST(ScatterPictures, AreWhereTheNumbersAre) {
  std::vector<Scatter> all = tuning_scatters(fixtures::tuned().tunings.front());
  all.push_back(*answer_scatter(fixtures::answered(), 200));
  for (const Scatter& scatter : all) {
    const ReadPicture read(picture(scatter));
    ASSERT_EQ(read.points.size(), scatter.points.size());
    ValueAxis across, up;
    for (const ScatterPoint& point : scatter.points) {
      across.include(point.x);
      up.include(point.y);
    }
    if (scatter.bound) across.include(scatter.bound->value);
    const bool log_up = scatter.logarithmic_up() && up.logarithmic();
    const bool log_across = scatter.logarithmic_across() && across.logarithmic();
    for (std::size_t i = 0; i < scatter.points.size(); ++i) {
      const Spot& at = read.points[i].at;
      EXPECT_NEAR(read.value(at.y, log_up) / scatter.points[i].y, 1, 1e-3);
      EXPECT_NEAR(ReadPicture::read(read.across, at.x, log_across) / scatter.points[i].x, 1, 1e-3);
    }
  }
}

TEST(ScatterPictures, DrawTheLatencyBudget) {
  EXPECT_THAT(picture(*answer_scatter(fixtures::answered(), 200)),
              HasSubstr(">latency budget 200 ms<"));
  EXPECT_THAT(picture(*answer_scatter(fixtures::answered(), {})), Not(HasSubstr("budget")));
}

TEST(BoxPictures, NeedSamplesAndAreWhereTheNumbersAre) {
  EXPECT_FALSE(box_figure(fixtures::seed_table().groups));
  const auto figure = box_figure(fixtures::one_group().groups);
  ASSERT_TRUE(figure);
  const std::string svg = picture(*figure);
  const ReadPicture read(svg);
  const std::regex median("median\"[^>]*d=\"M[-0-9.]+ ([-0-9.]+)L");
  std::size_t i = 0;
  for (std::sregex_iterator at(svg.begin(), svg.end(), median), end; at != end; ++at, ++i) {
    EXPECT_NEAR(read.value(std::stod((*at)[1]), false) / figure->series[0].boxes[i].median, 1,
                1e-3);
  }
  EXPECT_EQ(i, figure->series[0].boxes.size());
}

TEST(BoxPictures, AStrayIterationDoesNotFlattenTheBoxes) {
  findings::Summary summary = fixtures::single_size();
  findings::Distribution& spread = summary.groups[0].rows[0].distribution;
  spread.max_ms = 20 * spread.median_ms;
  spread.points_ms.push_back(spread.max_ms);
  const auto figure = box_figure(summary.groups);
  ASSERT_TRUE(figure);
  EXPECT_GE(figure->series[0].boxes[0].above, 1u);
  EXPECT_THAT(picture(*figure), HasSubstr("<path class=\"ink\""));
  EXPECT_THAT(picture(*box_figure(fixtures::one_group().groups)),
              Not(HasSubstr("<path class=\"ink\"")));
}

TEST(StackPictures, StackToTheSharesOfTheirPhases) {
  const auto figures = stack_figures(fixtures::many_sizes().groups);
  ASSERT_EQ(figures.size(), 1u);
  const std::string svg = picture(figures);
  const ReadPicture read(svg);
  const std::regex bar(
      "class=\"phase[^>]* y=\"([^\"]*)\"[^>]* height=\"([^\"]*)\"[^>]*><title>batch (\\d+), "
      "([^:]*): [^<]*<");
  std::size_t seen = 0;
  for (std::sregex_iterator at(svg.begin(), svg.end(), bar), end; at != end; ++at, ++seen) {
    const double top = std::stod((*at)[1]), height = std::stod((*at)[2]);
    const double share = read.value(top, false) - read.value(top + height, false);
    for (const StackBar& each : figures[0].bars) {
      if (std::to_string(each.size) != (*at)[3]) continue;
      for (std::size_t i = 0; i < each.parts.size(); ++i) {
        if (figures[0].phases[i].name == (*at)[4]) {
          EXPECT_NEAR(share, 100 * each.parts[i].share, 0.02);
        }
      }
    }
  }
  EXPECT_GE(seen, 2 * figures[0].bars.size());
}

TEST(Pictures, FollowTheSchemeAndLoadNothing) {
  const std::string svg = picture(size_figures(fixtures::answered())[0]);
  EXPECT_THAT(svg, HasSubstr("prefers-color-scheme: dark"));
  for (const char* load : {"href", "<script", "@import", "<image"}) {
    EXPECT_THAT(svg, Not(HasSubstr(load)));
  }
}

}  // namespace
}  // namespace batchscope::charts
