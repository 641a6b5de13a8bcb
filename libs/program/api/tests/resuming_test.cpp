#include "measuring/resuming.hpp"

#include <gtest/gtest.h>

#include <string>

namespace batchscope::api {
namespace {

// Whatever one of the settings is, another value of it.
void change(const schema::Field& field, void* of) {
  const std::string before = schema::text_of(field, of).value_or("");
  for (const char* const text : {"7", "8"}) {
    if (field.kind != schema::FieldKind::word && text != before) {
      ASSERT_TRUE(schema::set_from_text(field, text, of)) << field.name;
      return;
    }
  }
  const auto first = field.words->name(0);
  ASSERT_TRUE(schema::set_from_text(field, before == first ? field.words->name(1) : first, of));
}

template <class Settings>
int held_settings(const Settings& recorded) {
  int held = 0;
  for (const schema::Field& field : schema::table_of<Settings>().fields) {
    const schema::Setting& setting = field.rules.setting;
    if (setting.flag.empty() || field.kind == schema::FieldKind::boolean) continue;
    Settings asked = recorded;
    change(field, &asked);
    MeasureOptions options;
    EXPECT_TRUE(check_agrees(options, recorded, asked)) << setting.flag << " was not stated";
    options.stated = {std::string(setting.flag)};
    EXPECT_TRUE(check_agrees(options, recorded, recorded)) << setting.flag;
    const auto agrees = check_agrees(options, recorded, asked);
    EXPECT_EQ(agrees.has_value(), setting.may_differ) << setting.flag;
    if (agrees) continue;
    EXPECT_EQ(agrees.error().where, setting.flag);
    ++held;
  }
  return held;
}

TEST(Resuming, HoldsARunToEverySettingThatMayNotDiffer) {
  schema::MeasurementPlan plan;
  plan.diagnose = true;
  EXPECT_GE(held_settings(plan), 14);
  EXPECT_GE(held_settings(schema::TuneSettings{}), 4);
  EXPECT_GE(held_settings(schema::MaxBatchSettings{}), 3);
}

TEST(Resuming, AsksNothingOfADiagnosisThatWasNotMade) {
  schema::MeasurementPlan asked;
  asked.verify = schema::Automatic::off;
  MeasureOptions options;
  options.stated = {"--verify"};
  EXPECT_TRUE(check_agrees(options, schema::MeasurementPlan{}, asked));
}

}  // namespace
}  // namespace batchscope::api
