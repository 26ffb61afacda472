// Headers that most tests need and that rarely change.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <latch>

#include "../src/precompiled.h"
