#pragma once

#include <nanobind/nanobind.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "batchscope/base/result.hpp"

namespace batchscope::python {

namespace nb = nanobind;

nb::list list_of(const std::vector<std::string>& texts);
nb::dict dict_of(const std::map<std::string, std::string>& texts);

// The exception that Python has set, as batchscope._explain.explain tells it: memory that is out,
// or what was raised and where in the user's own code. Clears it.
base::Error current_error();
base::Error error_of(nb::python_error& raised);

// What `call` returns, or what it raised as an Error.
template <class Call>
auto guarded(const Call& call) -> decltype(call()) {
  try {
    return call();
  } catch (nb::python_error& raised) {
    return error_of(raised);
  } catch (const nb::cast_error&) {
    return base::Error{base::ErrorKind::failed, "the model returned a value of a wrong type", "",
                       ""};
  }
}

}  // namespace batchscope::python
