#include "lines/step_line.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "batchscope/base/strings.hpp"
#include "batchscope/stepfeed/step_feed.hpp"

namespace batchscope::stepfeed {
namespace {

using Json = nlohmann::json;

constexpr int kMostDepth = 16;
constexpr std::size_t kMostSource = 128;

struct NotFinite {
  std::string_view json;  // as Python writes it
  std::string_view word;
};
constexpr std::array kNotFiniteWords = {NotFinite{"-Infinity", "-inf"},
                                        NotFinite{"Infinity", "inf"}, NotFinite{"NaN", "nan"}};

// What begins at that place, outside of a text.
const NotFinite* not_finite_at(std::string_view line, std::size_t at) {
  for (const NotFinite& one : kNotFiniteWords) {
    if (line.substr(at, one.json.size()) == one.json) return &one;
  }
  return nullptr;
}

class Reader {
 public:
  explicit Reader(const Json& json) : json_(json) {}

  const Json* find(const char* name) {
    const auto found = json_.find(name);
    if (found == json_.end()) return nullptr;
    ++known_;
    return found->is_null() ? nullptr : &*found;
  }

  void require(const char* name) {
    if (!json_.contains(name) || json_[name].is_null()) fail(name, "is missing");
  }

  void number(const char* name, double least, double most, std::optional<double>& to) {
    const Json* const value = find(name);
    if (value == nullptr) return;
    if (!value->is_number()) return fail(name, "is not a number");
    const auto number = value->get<double>();
    if (!(number >= least && number <= most)) return fail(name, "is out of range");
    to = number;
  }

  void integer(const char* name, int64_t least, std::optional<int64_t>& to) {
    constexpr double kExact = 9007199254740992;  // 2^53
    const Json* const value = find(name);
    if (value == nullptr) return;
    if (value->is_number_unsigned() && value->get<uint64_t>() > uint64_t{1} << 62) {
      return fail(name, "is out of range");
    }
    if (value->is_number_integer()) {
      to = value->get<int64_t>();
    } else if (value->is_number_float() && std::abs(value->get<double>()) <= kExact &&
               std::trunc(value->get<double>()) == value->get<double>()) {
      to = static_cast<int64_t>(value->get<double>());
    } else {
      return fail(name, "is not an integer");
    }
    if (*to < least) fail(name, "is out of range");
  }

  void text(const char* name, std::string& to) {
    const Json* const value = find(name);
    if (value == nullptr) return;
    if (!value->is_string()) return fail(name, "is not a text");
    const auto& text = value->get_ref<const std::string&>();
    if (text.size() > kMostSource) return fail(name, "is too long");
    to = base::visible(text);
  }

  // A number, or a word of what is not finite.
  void loss(telemetry::TrainingStep& to) {
    const Json* const value = find("loss");
    if (value == nullptr) return;
    if (!value->is_string()) {
      --known_;
      constexpr double kMost = 1.7976931348623157e308;
      return number("loss", -kMost, kMost, to.loss);
    }
    set_word(value->get<std::string>(), "loss", to);
  }

  void word(telemetry::TrainingStep& to) {
    std::string word;
    text("loss_word", word);
    if (!word.empty()) set_word(word, "loss_word", to);
  }

  void fail(std::string_view name, std::string_view what) {
    if (problem_.empty()) problem_ = std::string(name) + " " + std::string(what);
  }

  int64_t unknown_fields() const { return static_cast<int64_t>(json_.size()) - known_; }
  const std::string& problem() const { return problem_; }

 private:
  void set_word(const std::string& text, std::string_view name, telemetry::TrainingStep& to) {
    const std::string lower = base::to_lower(text);
    const bool is_known = std::any_of(kNotFiniteWords.begin(), kNotFiniteWords.end(),
                                      [&](const NotFinite& one) { return one.word == lower; });
    if (!is_known) return fail(name, "is not a number");
    to.loss_word = lower;
    to.loss.reset();
  }

  const Json& json_;
  int64_t known_ = 0;
  std::string problem_;
};

// Not seconds, milliseconds or microseconds, nor the clock since the machine was started.
bool may_be_time(int64_t time_ns, int64_t now_ns) {
  constexpr int64_t kYear2001 = 1'000'000'000'000'000'000, kDay = 86'400'000'000'000;
  return time_ns >= kYear2001 && time_ns - kDay <= now_ns;
}

void read_fields(Reader& reader, int64_t now_ns, telemetry::TrainingStep& step) {
  constexpr int64_t kLeastInteger = -(int64_t{1} << 62);
  std::string type;
  reader.text("type", type);
  if (!type.empty() && type != "step") reader.fail("type", "is not \"step\"");
  for (const char* name : {"step", "seconds"}) reader.require(name);
  std::optional<int64_t> number, time;
  std::optional<double> seconds;
  reader.integer("step", kLeastInteger, number);
  reader.integer("time_ns", 0, time);
  if (time && !may_be_time(*time, now_ns)) {
    reader.fail("time_ns", "is not a time in nanoseconds since 1970");
  }
  reader.number("seconds", 0, kLongestStepSeconds, seconds);
  if (seconds && *seconds <= 0) reader.fail("seconds", "is not above 0");
  reader.text("source", step.source);
  reader.loss(step);
  reader.word(step);
  reader.number("learning_rate", -1e300, 1e300, step.learning_rate);
  reader.integer("batch_size", 1, step.batch_size);
  reader.number("loading_seconds", 0, kLongestStepSeconds, step.loading_seconds);
  step.step = number.value_or(0);
  step.seconds = seconds.value_or(0);
  step.time_ns = time.value_or(now_ns);
  // Two clocks of a loop may disagree by a little.
  if (step.loading_seconds) step.loading_seconds = std::min(*step.loading_seconds, step.seconds);
}

}  // namespace

std::string as_json(std::string_view line) {
  std::string json;
  bool in_text = false;
  int depth = 0;
  for (std::size_t at = 0; at < line.size(); ++at) {
    const char c = line[at];
    if (in_text && c == '\\' && at + 1 < line.size()) {
      json += line.substr(at++, 2);
      continue;
    }
    if (c == '"') in_text = !in_text;
    if (!in_text && (c == '{' || c == '[') && ++depth > kMostDepth) return "";
    if (!in_text && (c == '}' || c == ']')) --depth;
    const NotFinite* const word = in_text ? nullptr : not_finite_at(line, at);
    if (word == nullptr) {
      json.push_back(c);
      continue;
    }
    json.append("\"").append(word->word).append("\"");
    at += word->json.size() - 1;
  }
  return json;
}

StepLine read_step_line(std::string_view line, int64_t now_ns) {
  StepLine read;
  const Json json = Json::parse(as_json(line), nullptr, false);
  if (!json.is_object()) {
    read.problem = "is not a JSON object";
    return read;
  }
  Reader reader(json);
  read_fields(reader, now_ns, read.step);
  read.unknown_fields = reader.unknown_fields();
  read.problem = reader.problem();
  return read;
}

}  // namespace batchscope::stepfeed
