#include <unistd.h>

#include "batchscope/base/subprocess.hpp"
#include "batchscope/engine/plugin.hpp"
#include "batchscope/measure/worker.hpp"

int main() {
  _exit(batchscope::measure::worker_main(batchscope::base::kChildSocket,
                                         batchscope::engine::load_engine));
}
