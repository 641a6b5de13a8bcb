#include "batchscope/attribution/annotated_trace.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace batchscope::attribution {
namespace {

// The track of a device's parts; streams count from 0, so that it comes first.
constexpr int kPartsTrack = -1;

std::string json_string(std::string_view text) {
  return nlohmann::json(std::string(text))
      .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

// Colours that chrome://tracing has names for; Perfetto colours by the name of the event.
std::string_view colour_of(Part part) {
  switch (part) {
    case Part::compute:
      return "good";
    case Part::memcpy:
      return "thread_state_runnable";
    case Part::communication:
      return "thread_state_iowait";
    case Part::data_loading:
      return "terrible";
    case Part::synchronisation:
      return "bad";
    case Part::launch:
      return "yellow";
    case Part::host:
      return "olive";
    case Part::device:
      return "rail_idle";
    case Part::unknown:
      break;
  }
  return "grey";
}

class Writer {
 public:
  std::string take() && { return std::move(text_) + "\n]}\n"; }

  void metadata(const char* what, int64_t process, int64_t thread, std::string_view name) {
    begin();
    fmt::format_to(std::back_inserter(text_),
                   R"({{"ph":"M","name":"{}","pid":{},"tid":{},"args":{{"name":{}}}}})", what,
                   process, thread, json_string(name));
  }

  // `name` and `arguments` are JSON.
  void span(std::string_view name, std::string_view category, int64_t process, int64_t thread,
            int64_t start_ns, int64_t end_ns, std::string_view arguments) {
    begin();
    text_ += R"({"ph":"X","name":)";
    text_ += name;
    fmt::format_to(std::back_inserter(text_), R"(,"cat":"{}","pid":{},"tid":{},"ts":)", category,
                   process, thread);
    time(start_ns);
    text_ += R"(,"dur":)";
    time(end_ns - start_ns);
    text_ += arguments;
    text_ += '}';
  }

 private:
  void begin() {
    if (text_.empty()) {
      text_ = "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n";
    } else {
      text_ += ",\n";
    }
  }

  void time(int64_t ns) {
    const bool negative = ns < 0;
    const auto size = negative ? -static_cast<uint64_t>(ns) : static_cast<uint64_t>(ns);
    fmt::format_to(std::back_inserter(text_), "{}{}.{:03}", negative ? "-" : "", size / 1000,
                   size % 1000);
  }

  std::string text_;
};

void add_tracks(const trace::Trace& trace, Writer& writer) {
  for (const trace::Track& track : trace.tracks) {
    if (!track.on_device() && !track.name.empty()) {
      writer.metadata("thread_name", track.process, track.thread, track.name);
    } else if (track.on_device()) {
      writer.metadata("thread_name", track.device, track.stream,
                      fmt::format("stream {}", track.stream));
    }
  }
}

void add_activities(const trace::Trace& trace, Writer& writer) {
  std::vector<std::string> names;
  names.reserve(trace.names.size());
  for (const std::string& name : trace.names) names.push_back(json_string(name));
  const auto& rows = trace.activities;
  for (size_t row = 0; row < rows.size(); ++row) {
    const trace::Track& track = trace.track_of(row);
    const bool device = track.on_device();
    const std::string arguments =
        rows.correlation[row] < 0
            ? ""
            : fmt::format(R"(,"args":{{"correlation":{}}})", rows.correlation[row]);
    writer.span(names[rows.name[row]], to_string(rows.kind[row]),
                device ? track.device : track.process, device ? track.stream : track.thread,
                rows.start_ns[row], rows.end_ns(row), arguments);
  }
}

void add_device(const trace::Trace& trace, const DeviceTime& device, std::string_view word,
                Writer& writer) {
  const trace::DeviceInfo* const info = trace.device_info(device.id);
  const std::string name = info == nullptr ? "" : " " + info->name;
  writer.metadata("process_name", device.id, 0, fmt::format("{} {}{}", word, device.id, name));
  writer.metadata("thread_name", device.id, kPartsTrack, "where the time goes");
  for (const Piece& piece : device.pieces) {
    const std::string label =
        (is_idle(piece.part) ? "idle: " : "") + std::string(to_string(piece.part));
    writer.span(json_string(label), "batchscope", device.id, kPartsTrack, piece.start_ns,
                piece.end_ns, fmt::format(R"(,"cname":"{}")", colour_of(piece.part)));
  }
}

void add_gaps(const DeviceTime& device, Writer& writer) {
  for (const Gap& gap : device.largest_gaps) {
    writer.span(
        json_string("gap"), "batchscope", device.id, kPartsTrack - 1, gap.start_ns, gap.end_ns,
        fmt::format(R"(,"args":{{"cause":"{}","thread":{},"call":{},"inside":{},"source":{}}})",
                    to_string(gap.cause), gap.thread, json_string(gap.call),
                    json_string(gap.inside), json_string(gap.source)));
  }
}

}  // namespace

std::string annotated_trace(const trace::Trace& trace, const Attribution& attribution,
                            std::string_view device_word) {
  Writer writer;
  writer.metadata("process_labels", 0, 0, "annotated by batchscope");
  add_tracks(trace, writer);
  for (const DeviceTime& device : attribution.devices) {
    add_device(trace, device, device_word, writer);
    writer.metadata("thread_name", device.id, kPartsTrack - 1, "longest gaps");
    add_gaps(device, writer);
  }
  add_activities(trace, writer);
  return std::move(writer).take();
}

}  // namespace batchscope::attribution
