#pragma once

#include <string_view>

#include "batchscope/base/result.hpp"

namespace batchscope::base {

enum class LogLevel { quiet, normal };

// Messages for the user on standard error; standard output holds results only. Handed to whoever
// needs it. Errors and warnings are always printed (a quiet run must not hide that its figures are
// doubtful), info unless quiet.
class Log {
 public:
  explicit Log(LogLevel level = LogLevel::normal) : level_(level) {}

  void info(std::string_view message) const;
  void warning(std::string_view message) const;
  void error(std::string_view message) const;
  void error(const Error& error) const;
  LogLevel level() const { return level_; }

 private:
  LogLevel level_;
};

}  // namespace batchscope::base
