#include "named_values_axis.hpp"

namespace batchscope::schema {

AxisRow environment_axis() {
  return named_values_axis<&RunConfig::environment, "environment", "--env">(
      {.id = AxisId::environment,
       .description = "added to the worker's environment",
       .of_process = true});
}

}  // namespace batchscope::schema
