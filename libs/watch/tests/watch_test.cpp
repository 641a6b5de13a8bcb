#include "batchscope/watch/watch.hpp"

#include <gtest/gtest.h>
