#include "batchscope/monitor_report/screen.hpp"

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "approval/approval.hpp"
#include "machines.hpp"

namespace batchscope::monitor_report {
namespace {

using approval::expect_approved;
using findings::Severity;
using testing::active;
using ::testing::HasSubstr;
using testing::kMachineSecond;
using testing::kNoon;
using testing::made_up_history;
using testing::made_up_view;
using testing::three_findings;

std::string text_of(const Screen& screen) {
  std::string text;
  for (const std::string& line : screen.lines) text += line + '\n';
  return text;
}

View busy_machine(const ScreenHistory& history) {
  View view = made_up_view(8, history);
  view.findings = three_findings();
  view.sample.gpus[3] = {};
  view.sample.gpus[3].gpu = "3";
  view.sample.gpus[3].why_down = "GPU is lost";
  return view;
}

TEST(Screen, EightGpusOneLostAt80x24) {
  const ScreenHistory history = made_up_history(8);
  expect_approved("8_gpus_80x24.txt", text_of(render(busy_machine(history), {80, 24})));
}

TEST(Screen, EightGpusAt120x40) {
  const ScreenHistory history = made_up_history(8);
  expect_approved("8_gpus_120x40.txt", text_of(render(busy_machine(history), {120, 40})));
}

TEST(Screen, EightGpusAt40x10) {
  const ScreenHistory history = made_up_history(8);
  expect_approved("8_gpus_40x10.txt", text_of(render(busy_machine(history), {40, 10})));
}

TEST(Screen, AsciiHasNoOtherCharacter) {
  const ScreenHistory history = made_up_history(8);
  ScreenSize size{80, 24};
  size.utf8 = false;
  const std::string text = text_of(render(busy_machine(history), size));
  expect_approved("8_gpus_ascii.txt", text);
  for (const char c : text) EXPECT_TRUE(c == '\n' || (c >= ' ' && c <= '~')) << int{c};
}

TEST(Screen, NoGpu) {
  const ScreenHistory history = made_up_history(0);
  expect_approved("no_gpu_80x24.txt", text_of(render(made_up_view(0, history), {80, 24})));
}

TEST(Screen, OneGpuAndNothingWrong) {
  const ScreenHistory history = made_up_history(1);
  expect_approved("1_gpu_80x24.txt", text_of(render(made_up_view(1, history), {80, 24})));
}

TEST(Screen, ColourMarksWhatIsWrong) {
  const ScreenHistory history = made_up_history(8);
  ScreenSize size{80, 24};
  size.colour = true;
  expect_approved("8_gpus_colour.txt", text_of(render(busy_machine(history), size)));
}

TEST(Screen, HostileNamesSteerNothing) {
  ScreenHistory history = made_up_history(1);
  telemetry::TrainingStep step = testing::made_up_step(41);
  step.source = "\x1b]0;owned\x07loop";
  step.loss_word = "n\x1b[31man";
  history.add(step);
  View view = made_up_view(1, history);
  const std::string evil =
      "a\x1b[2J\xC2\x9B"
      "5n\xE2\x80\xAE\r\nb\xFF\x07";
  view.host = view.watched = view.exporter = evil;
  view.sample.gpus[0].name = view.sample.gpus[0].gpu = evil;
  view.sample.gpus[0].throttle_reasons = {evil};
  telemetry::GpuReading down;
  down.gpu = "1";
  down.why_down = evil;
  view.sample.gpus.push_back(down);
  view.sample.processes[0].name = "\xE6\xBC\xA2\xE5\xAD\x97\n\x1b[1A";
  view.findings = {active(evil, Severity::high, kNoon, evil, 1)};
  const std::string text = text_of(render(view, {120, 40}));
  expect_approved("hostile_120x40.txt", text);
  EXPECT_EQ(text.find_first_of("\x1b\r\a\x7f"), std::string::npos);
  EXPECT_EQ(text.find("\xC2\x9B"), std::string::npos);
}

TEST(Screen, WhereThereIsNoRoomForAllGpusThoseInTroubleStay) {
  const ScreenHistory history = made_up_history(8);
  const Screen screen = render(busy_machine(history), {80, 6});
  const std::string text = text_of(screen);
  EXPECT_EQ(screen.lines.size(), 6U);
  EXPECT_THAT(text, HasSubstr("3!    down: GPU is lost"));
  EXPECT_THAT(text, HasSubstr("HIGH    GPU 3: XID 79"));
  EXPECT_THAT(text, HasSubstr("and 5 more GPUs"));
}

TEST(Screen, WhatHasEndedIsNotShown) {
  const ScreenHistory history = made_up_history(1);
  View view = made_up_view(1, history);
  view.findings = {active("it was idle", Severity::high, kNoon)};
  view.findings[0].ended_ns = kNoon + kMachineSecond;
  EXPECT_THAT(text_of(render(view, {80, 24})), HasSubstr("no findings"));
}

TEST(Screen, AnOldReadingSaysSo) {
  const ScreenHistory history = made_up_history(1);
  View view = made_up_view(1, history);
  view.sample.gpus[0].read_ns -= 12 * kMachineSecond;
  EXPECT_THAT(text_of(render(view, {80, 24})), HasSubstr("12 s old"));
}

TEST(Frame, IsWrittenOverTheOneBefore) {
  const Screen screen{{"ab", "full", ""}};
  EXPECT_EQ(next_frame(screen, {4, 5}), "\x1b[Hab\x1b[K\r\nfull\r\n\x1b[K\r\n\x1b[J");
}

TEST(Frame, AFullScreenDoesNotScroll) {
  const Screen screen{{"ab", "cd"}};
  EXPECT_EQ(next_frame(screen, {4, 2}), "\x1b[Hab\x1b[K\r\ncd\x1b[K");
  EXPECT_EQ(next_frame(screen, {4, 1}), "\x1b[Hab\x1b[K");  // the terminal has become smaller
}

TEST(Frame, ColourTakesNoColumns) {
  const Screen screen{{"\x1b[1mfull\x1b[0m"}};
  EXPECT_EQ(next_frame(screen, {4, 1}), "\x1b[H\x1b[1mfull\x1b[0m");
}

TEST(Frame, WhatIsEnteredIsLeft) {
  for (const char* mode : {"?1049", "?25", "?7"}) {
    EXPECT_THAT(enter_screen(), HasSubstr(std::string("\x1b[") + mode));
    EXPECT_THAT(leave_screen(), HasSubstr(std::string("\x1b[") + mode));
  }
}

}  // namespace
}  // namespace batchscope::monitor_report
