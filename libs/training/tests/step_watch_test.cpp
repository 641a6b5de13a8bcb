#include "batchscope/training/step_watch.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
