#include "ranges.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <memory>
#include <string>
#include <vector>

#include "batchscope/record/chrome_trace.hpp"
#include "batchscope/study/range_phases.hpp"

namespace batchscope::python {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;

// Ranges are opened in the user's code, which has no profiler at hand: one a process, as one
// process is what is measured.
record::Profiler* current = nullptr;
int64_t begun = 0;  // since the last iteration was reported

// Of all range objects that are entered, so that none outlives what it is recorded in. Like all
// else here it is used with the interpreter's lock held.
struct RangeObject* entered = nullptr;

// A range as a type of the C API: what nanobind adds to a call is more than the range costs. One
// object may be entered again inside itself (a decorated function that calls itself), so that it
// keeps a stack.
struct RangeObject {
  PyObject_HEAD  //
      PyObject* name;
  std::vector<record::Range>* inner;  // those entered while `first` was; null: none ever was
  record::Range first;
  bool is_entered;
  RangeObject *before, *after;  // in `entered`
};

RangeObject* range_of(PyObject* self) {
  return reinterpret_cast<RangeObject*>(self);
}

void enlist(RangeObject* range) {
  range->before = nullptr;
  range->after = entered;
  if (entered != nullptr) entered->before = range;
  entered = range;
}

void delist(RangeObject* range) {
  if (!range->is_entered) return;
  range->is_entered = false;
  if (range->before != nullptr) range->before->after = range->after;
  if (range->after != nullptr) range->after->before = range->before;
  if (entered == range) entered = range->after;
}

void end_all_ranges() {
  for (RangeObject* each = entered; each != nullptr; each = each->after) {
    each->first.end();
    if (each->inner != nullptr) {
      for (record::Range& range : *each->inner) range.end();
    }
  }
}

PyTypeObject* range_type();

PyObject* make_range(PyObject* type, PyObject* const* arguments, size_t count, PyObject* names) {
  const auto given = PyVectorcall_NARGS(count);
  if (given != 1 || names != nullptr || !PyUnicode_Check(arguments[0])) {
    PyErr_SetString(PyExc_TypeError, "range(name) takes the name of the range, a str");
    return nullptr;
  }
  auto* const self =
      reinterpret_cast<PyTypeObject*>(type)->tp_alloc(reinterpret_cast<PyTypeObject*>(type), 0);
  if (self == nullptr) return nullptr;
  RangeObject* const range = range_of(self);
  range->name = Py_NewRef(arguments[0]);
  range->inner = nullptr;
  new (&range->first) record::Range();
  range->is_entered = false;
  return self;
}

void free_range(PyObject* self) {
  RangeObject* const range = range_of(self);
  delist(range);
  range->first.~Range();
  delete range->inner;
  Py_XDECREF(range->name);
  Py_TYPE(self)->tp_free(self);
}

PyObject* enter(PyObject* self, PyObject*) {
  RangeObject* const range = range_of(self);
  record::Profiler* const profiler = current;
  record::Range opened;
  if (profiler != nullptr) {
    Py_ssize_t length = 0;
    const char* const name = PyUnicode_AsUTF8AndSize(range->name, &length);
    if (name == nullptr) return nullptr;
    opened = profiler->range({name, static_cast<size_t>(length)});
    ++begun;
  }
  if (!range->is_entered) {
    range->first = std::move(opened);
    range->is_entered = true;
    enlist(range);
  } else {
    if (range->inner == nullptr) range->inner = new std::vector<record::Range>();
    range->inner->push_back(std::move(opened));
  }
  return Py_NewRef(self);
}

PyObject* leave(PyObject* self, PyObject* const*, Py_ssize_t) {
  RangeObject* const range = range_of(self);
  if (range->inner != nullptr && !range->inner->empty()) {
    range->inner->pop_back();
  } else if (range->is_entered) {
    range->first.end();
    delist(range);
  }
  Py_RETURN_NONE;
}

// As a decorator; functions that are awaited need one of their own, which is easier said in Python.
PyObject* decorate(PyObject* self, PyObject* arguments, PyObject*) {
  PyObject* function = nullptr;
  if (PyArg_ParseTuple(arguments, "O", &function) == 0) return nullptr;
  try {
    return nb::module_::import_("batchscope._decorated")
        .attr("decorated")(nb::handle(range_of(self)->name), nb::handle(function))
        .release()
        .ptr();
  } catch (nb::python_error& raised) {
    raised.restore();
    return nullptr;
  }
}

PyMethodDef kRangeMethods[] = {
    {"__enter__", enter, METH_NOARGS, nullptr},
    {"__exit__", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(leave)), METH_FASTCALL,
     nullptr},
    {nullptr, nullptr, 0, nullptr}};

constexpr const char* kRangeDoc =
    "range(name)\n--\n\nA named part of an iteration, as a context manager or a decorator. The "
    "outermost ranges of "
    "the thread that runs it become the phases of a measured iteration; inside a Profiler those of "
    "every thread are recorded. Elsewhere it costs next to nothing.";

PyTypeObject* range_type() {
  static PyTypeObject type = [] {
    PyTypeObject made = {PyVarObject_HEAD_INIT(nullptr, 0)};
    made.tp_name = "batchscope._core.range";
    made.tp_basicsize = sizeof(RangeObject);
    made.tp_dealloc = free_range;
    made.tp_flags = Py_TPFLAGS_DEFAULT;
    made.tp_methods = kRangeMethods;
    made.tp_call = decorate;
    made.tp_vectorcall = make_range;
    made.tp_doc = kRangeDoc;
    return made;
  }();
  return &type;
}

// A recording in Python: everything it says is read from it when it is asked for.
class PyProfiler {
 public:
  explicit PyProfiler(bool memory) : profiler_(record::ProfilerOptions{.memory = memory}) {}
  ~PyProfiler() { stop(); }

  PyProfiler& start() {
    before_ = current;
    record_ranges_into(&profiler_);
    active_ = true;
    return *this;
  }
  void stop() {
    if (active_) record_ranges_into(before_);
    active_ = false;
  }
  // A dict a range: name, thread, parent (number of the range that it lies in, of its thread),
  // number, begin_ns, end_ns, open.
  nb::list ranges() const {
    nb::list all;
    const record::Recording recording = profiler_.recording();
    for (const record::RangeRecord& each : recording.ranges) {
      nb::dict range;
      range["name"] = each.name;
      range["thread"] = each.thread;
      range["number"] = each.number;
      range["parent"] = each.parent ? nb::object(nb::int_(*each.parent)) : nb::none();
      range["begin_ns"] = each.begin_ns;
      range["end_ns"] = each.end_ns;
      range["open"] = each.open;
      all.append(range);
    }
    return all;
  }
  std::string chrome_trace() const { return record::chrome_trace(profiler_.recording()); }

 private:
  record::Profiler profiler_;
  record::Profiler* before_ = nullptr;
  bool active_ = false;
};

}  // namespace

void record_ranges_into(record::Profiler* profiler) {
  end_all_ranges();
  current = profiler;
  begun = 0;
}

Result<void> report_ranges(engine::PhaseSink& sink) {
  if (begun == 0) return {};
  begun = 0;
  record::Profiler* const profiler = current;
  if (profiler == nullptr) return {};
  static study::RangePhases phases;
  if (!phases.take(*profiler)) {
    return Error{ErrorKind::failed, "a range was still open when the iteration returned", "",
                 "use batchscope.range as a context manager or a decorator"};
  }
  phases.tell(*profiler, sink);
  return {};
}

void add_ranges(nb::module_& module) {
  if (PyType_Ready(range_type()) < 0) throw nb::python_error();
  module.attr("range") = nb::handle(reinterpret_cast<PyObject*>(range_type()));
  nb::class_<PyProfiler>(module, "Profiler",
                         "Records the ranges of all threads while it is entered.")
      .def(nb::init<bool>(), nb::kw_only(), nb::arg("memory") = false,
           "memory: also the resident memory of the process at both ends of every range, which "
           "costs some ten microseconds a range.")
      .def("__enter__", &PyProfiler::start, nb::rv_policy::reference)
      .def("__exit__", [](PyProfiler& self, nb::args) { self.stop(); })
      .def("ranges", &PyProfiler::ranges,
           "What was recorded: a dict a range with name, thread, number, parent, begin_ns, end_ns "
           "and open.")
      .def("chrome_trace", &PyProfiler::chrome_trace,
           "The recording as the text of a Chrome trace, for Perfetto.");
}

}  // namespace batchscope::python
