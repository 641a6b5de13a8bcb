#include "batchscope/watch/standing.hpp"
