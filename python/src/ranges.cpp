#include "ranges.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "batchscope/ranges/chrome_trace.hpp"
#include "batchscope/ranges/nvtx.hpp"
#include "batchscope/study/range_phases.hpp"

namespace batchscope::python {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;

// Ranges are opened in the user's code, which has no profiler at hand: one a process, as one
// process is what is measured.
ranges::Profiler* current = nullptr;
int64_t begun = 0;  // since the last iteration was reported

// Of all range objects that are entered, so that none outlives what it is recorded in. Like all
// else here it is used with the interpreter's lock held.
struct RangeObject* entered = nullptr;

// An opening of a range, and the thread that has to end it.
struct Opened {
  unsigned long thread;
  ranges::Range range;
  ranges::nvtx::ScopedRange shown;  // what nobody records is shown to a tool all the same

  void end() {
    range.end();
    shown.end();
  }
};

// A range as a type of the C API: what nanobind adds to a call is more than the range costs. One
// object may be entered again while it is, inside itself (a decorated function that calls itself)
// or on another thread, so that it keeps a stack.
struct RangeObject {
  PyObject_HEAD  //
      PyObject* name;
  std::vector<Opened>* inner;  // those entered while `first` was; null: none ever was
  Opened first;
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
    each->first.range.end();
    if (each->inner != nullptr) {
      for (Opened& opened : *each->inner) opened.range.end();
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
  new (&range->first) Opened{0, {}, {}};
  range->is_entered = false;
  return self;
}

void free_range(PyObject* self) {
  RangeObject* const range = range_of(self);
  delist(range);
  range->first.~Opened();
  delete range->inner;
  Py_XDECREF(range->name);
  Py_TYPE(self)->tp_free(self);
}

PyObject* enter(PyObject* self, PyObject*) {
  RangeObject* const range = range_of(self);
  ranges::Profiler* const profiler = current;
  Opened opened{PyThread_get_thread_ident(), {}, {}};
  if (profiler != nullptr || ranges::nvtx::attached()) {
    Py_ssize_t length = 0;
    const char* const characters = PyUnicode_AsUTF8AndSize(range->name, &length);
    if (characters == nullptr) return nullptr;
    const std::string_view name(characters, static_cast<size_t>(length));
    if (profiler != nullptr) {
      opened.range = profiler->range(name);
      ++begun;
    } else {
      opened.shown = ranges::nvtx::ScopedRange(name);
    }
  }
  if (!range->is_entered) {
    range->first = std::move(opened);
    range->is_entered = true;
    enlist(range);
  } else {
    if (range->inner == nullptr) range->inner = new std::vector<Opened>();
    range->inner->push_back(std::move(opened));
  }
  return Py_NewRef(self);
}

// Ends the latest of its openings on this thread; false: there is none but the first.
bool leave_inner(RangeObject& range) {
  if (range.inner == nullptr) return false;
  const unsigned long thread = PyThread_get_thread_ident();
  for (auto each = range.inner->rbegin(); each != range.inner->rend(); ++each) {
    if (each->thread != thread) continue;
    range.inner->erase(std::next(each).base());
    return true;
  }
  return false;
}

PyObject* leave(PyObject* self, PyObject* const*, Py_ssize_t) {
  RangeObject* const range = range_of(self);
  if (leave_inner(*range) || !range->is_entered) Py_RETURN_NONE;
  if (range->inner != nullptr && !range->inner->empty()) {
    std::swap(range->first, range->inner->back());
    range->inner->pop_back();
    Py_RETURN_NONE;
  }
  range->first.end();
  delist(range);
  Py_RETURN_NONE;
}

// As a decorator; functions that are awaited need one of their own, which is easier said in Python.
PyObject* decorate(PyObject* self, PyObject* arguments, PyObject*) {
  PyObject* function = nullptr;
  if (PyArg_ParseTuple(arguments, "O", &function) == 0) return nullptr;
  try {
    return nb::module_::import_("batchscope._inside.decorated")
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
    "every thread are recorded. nsys and ncu show all of them. Elsewhere it costs next to nothing.";

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

// A recording in Python: everything it says is read from it when it is asked for. Of several that
// are entered the latest records; each may be left or dropped at any time.
class PyProfiler {
 public:
  explicit PyProfiler(bool memory) : profiler_(ranges::ProfilerOptions{.memory = memory}) {}
  ~PyProfiler() { stop(); }

  PyProfiler& start() {
    if (std::find(active().begin(), active().end(), this) != active().end()) {
      throw std::runtime_error("this Profiler is already active");
    }
    if (active().empty()) outside() = current;
    active().push_back(this);
    record_ranges_into(&profiler_);
    return *this;
  }
  void stop() {
    const bool records = current == &profiler_;
    if (std::erase(active(), this) == 0 || !records) return;
    record_ranges_into(active().empty() ? outside() : &active().back()->profiler_);
  }
  // A dict a range: name, thread, parent (number of the range that it lies in, of its thread),
  // number, begin_ns, end_ns, open.
  nb::list ranges() const {
    nb::list all;
    const ranges::Recording recording = profiler_.recording();
    for (const ranges::RangeRecord& each : recording.ranges) {
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
  std::string chrome_trace() const { return ranges::chrome_trace(profiler_.recording()); }

 private:
  // Of the process, as `current` is.
  static std::vector<PyProfiler*>& active() {
    static std::vector<PyProfiler*> entered_profilers;
    return entered_profilers;
  }
  static ranges::Profiler*& outside() {
    static ranges::Profiler* of_the_worker = nullptr;
    return of_the_worker;
  }

  ranges::Profiler profiler_;
};

}  // namespace

ranges::Profiler* record_ranges_into(ranges::Profiler* profiler) {
  end_all_ranges();
  begun = 0;
  return std::exchange(current, profiler);
}

Result<void> report_ranges(engine::PhaseSink& sink) {
  if (begun == 0) return {};
  begun = 0;
  ranges::Profiler* const profiler = current;
  if (profiler == nullptr) return {};
  static study::RangePhases phases;
  if (!phases.take(*profiler)) {
    return Error{ErrorKind::failed, "a range was still open at the end of the iteration", "",
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
