#include "traces.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "batchscope/trace/reader.hpp"

namespace nb = nanobind;

namespace batchscope::python {
namespace {

using trace::ActivityKind;

template <class T>
nb::tuple column(const char* dtype, const std::vector<T>& values) {
  return nb::make_tuple(
      dtype, nb::bytes(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)));
}

// A field of each row's track.
template <class Field>
nb::tuple track_column(const trace::Trace& trace, Field field) {
  std::vector<int64_t> values;
  values.reserve(trace.activities.size());
  for (size_t row = 0; row < trace.activities.size(); ++row) {
    values.push_back(trace.track_of(row).*field);
  }
  return column("int64", values);
}

std::vector<std::string> kind_names() {
  std::vector<std::string> names;
  for (auto kind = 0; kind <= static_cast<int>(ActivityKind::overhead); ++kind) {
    names.emplace_back(to_string(static_cast<ActivityKind>(kind)));
  }
  return names;
}

// ({column: (dtype, bytes)}, {column: what its numbers stand for}).
nb::tuple read_trace(const std::string& path) {
  base::Result<trace::Trace> read = base::Error{};
  {
    const nb::gil_scoped_release others_may_run;
    read = trace::TraceReader().read(path);
  }
  if (!read) throw std::runtime_error(base::to_string(read.error()));
  const trace::ActivityTable& rows = read->activities;
  std::vector<uint8_t> kinds;
  for (const ActivityKind kind : rows.kind) kinds.push_back(static_cast<uint8_t>(kind));
  nb::dict columns;
  columns["start_ns"] = column("int64", rows.start_ns);
  columns["duration_ns"] = column("int64", rows.duration_ns);
  columns["name"] = column("uint32", rows.name);
  columns["kind"] = column("uint8", kinds);
  columns["correlation"] = column("int64", rows.correlation);
  columns["process"] = track_column(*read, &trace::Track::process);
  columns["thread"] = track_column(*read, &trace::Track::thread);
  columns["device"] = track_column(*read, &trace::Track::device);
  columns["stream"] = track_column(*read, &trace::Track::stream);
  nb::dict names;
  names["name"] = read->names;
  names["kind"] = kind_names();
  return nb::make_tuple(columns, names);
}

}  // namespace

void add_traces(nb::module_& module) {
  module.def("read_trace", &read_trace, nb::arg("path"),
             "The activities of a trace: ({column: (dtype, bytes)}, {column: its names}).");
}

}  // namespace batchscope::python
