#include "arguments.hpp"

#include <nanobind/stl/string.h>

#include "batchscope/base/memory_words.hpp"

namespace batchscope::python {
namespace {

using base::Error;
using base::ErrorKind;

ErrorKind kind_of(const std::string& word) {
  if (word == "out-of-memory") return ErrorKind::out_of_memory;
  return word == "usage" ? ErrorKind::usage : ErrorKind::failed;
}

std::string text_at(const nb::object& mapping, const char* key) {
  return nb::cast<std::string>(mapping[key]);
}

// Memory may be out, so that explaining may fail too.
Error explained(nb::handle raised) {
  try {
    const nb::object explain = nb::module_::import_("batchscope._explain");
    const nb::object reported = explain.attr("explain")(raised);
    Error error{kind_of(text_at(reported, "kind")), text_at(reported, "what"),
                text_at(reported, "where"), text_at(reported, "fix")};
    return base::judge_memory(std::move(error),
                              nb::cast<std::string>(explain.attr("all_words_of")(raised)));
  } catch (...) {
    PyErr_Clear();
    const bool memory = PyErr_GivenExceptionMatches(raised.ptr(), PyExc_MemoryError) != 0;
    return {memory ? ErrorKind::out_of_memory : ErrorKind::failed,
            memory ? "out of memory (MemoryError)" : "it raised an exception", "", ""};
  }
}

}  // namespace

nb::list list_of(const std::vector<std::string>& texts) {
  nb::list list;
  for (const std::string& text : texts) list.append(nb::str(text.c_str(), text.size()));
  return list;
}

nb::dict dict_of(const std::map<std::string, std::string>& texts) {
  nb::dict dict;
  for (const auto& [name, text] : texts) {
    dict[nb::str(name.c_str())] = nb::str(text.c_str(), text.size());
  }
  return dict;
}

Error error_of(nb::python_error& raised) {
  return explained(raised.value());
}

Error current_error() {
  nb::python_error raised;
  return error_of(raised);
}

}  // namespace batchscope::python
