#include "batchscope/telemetry/log_line.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "batchscope/bytes/lines.hpp"
#include "batchscope/schema/json_line.hpp"
#include "sample_tables.hpp"

namespace batchscope::telemetry {
namespace {

constexpr std::string_view kHeader = "monitor", kSample = "sample", kStep = "step",
                           kFinding = "finding";

class LogReader {
 public:
  void take(std::string_view text) {
    ++line_;
    if (text.empty()) return;
    if (!json_.take(text)) return skip("is not a JSON object");
    const std::string type = json_.type();
    if (type == kSample) {
      const std::size_t samples = content_.samples.size();
      read(content_.samples);
      if (content_.samples.size() > samples) content_.steps_before.push_back(content_.steps.size());
      return;
    }
    if (type == kStep) return read(content_.steps);
    if (type == kFinding) {
      ++content_.finding_lines;
      return;
    }
    skip("has an unknown type");
  }

  LogContent finish() && {
    put_in_order();
    return std::move(content_);
  }

 private:
  template <class Of>
  void read(std::vector<Of>& into) {
    Of one;
    std::string problem;
    const bool is_json = json_.read(one, problem);
    if (!is_json || !problem.empty()) return skip(is_json ? problem : "is not a JSON object");
    into.push_back(std::move(one));
  }

  void put_in_order() {
    auto& samples = content_.samples;
    for (std::size_t i = 1; i < samples.size(); ++i) {
      content_.times_back += samples[i].time_ns < samples[i - 1].time_ns ? 1 : 0;
    }
    if (content_.times_back == 0) return;
    std::ranges::stable_sort(samples, {}, &Sample::time_ns);
    std::ranges::stable_sort(content_.steps, {}, &TrainingStep::time_ns);
    content_.steps_before.clear();
  }

  void skip(std::string_view problem) {
    ++content_.unread_lines;
    if (!content_.first_problem.empty()) return;
    content_.first_problem = fmt::format("line {}: {}", line_, problem);
  }

  schema::JsonLine json_;
  LogContent content_;
  int64_t line_ = 1;  // the header, which has been read
};

base::Error wrong(std::string what, const std::string& path) {
  return base::Error{base::ErrorKind::input, std::move(what), path,
                     "give a file that batchscope monitor --record wrote"};
}

base::Result<LogHeader> read_header(std::string_view line, const std::string& path) {
  schema::JsonLine json;
  if (!json.take(line) || json.type() != kHeader) {
    return wrong(
        "is not a log of batchscope monitor: the type of its first line is not \"monitor\"", path);
  }
  LogHeader header;
  std::string problem;
  if (!json.read(header, problem)) return wrong("its first line is not a JSON object", path);
  if (!problem.empty()) return wrong("its first line is wrong: " + problem, path);
  if (header.schema_version > kLogSchemaVersion) {
    return wrong(fmt::format("has schema version {}, but this program reads {}",
                             header.schema_version, kLogSchemaVersion),
                 path);
  }
  return header;
}

}  // namespace

std::string to_line(const LogHeader& header) {
  return schema::json_line(kHeader, header);
}

std::string to_line(const Sample& sample) {
  return schema::json_line(kSample, sample);
}

std::string to_line(const TrainingStep& step) {
  return schema::json_line(kStep, step);
}

bool is_log(std::string_view first_line) {
  schema::JsonLine json;
  return json.take(first_line) && json.type() == kHeader;
}

base::Result<LogContent> read_log(const std::string& path) {
  auto lines = bytes::lines_of(path);
  if (!lines) return std::move(lines).error();
  auto first = lines->next();
  if (!first) return std::move(first).error();
  if (!*first) return wrong("is empty", path);
  auto header = read_header((*first)->text, path);
  if (!header) return std::move(header).error();
  LogReader reader;
  for (;;) {
    auto line = lines->next();
    if (!line) return std::move(line).error();
    if (!*line) break;
    // The last line of a log whose writer was killed is half of one.
    if ((*line)->full) reader.take((*line)->text);
  }
  LogContent content = std::move(reader).finish();
  content.header = *std::move(header);
  return content;
}

}  // namespace batchscope::telemetry
