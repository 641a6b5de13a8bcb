#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// What one line of somebody's log says, by the names that its writer gives it.
namespace batchscope::stepfeed {

struct Value {
  double number = 0;      // may be infinite, or none
  std::string_view unit;  // "ms", "s", "us"; empty: none stands there
  double of = 0;          // 100 in 3/100; 0: absent
};

class Values {
 public:
  virtual ~Values() = default;
  // The value of that name, if there is one that is a number.
  virtual std::optional<Value> find(std::string_view name) const = 0;
  // Whether the name stands there at all.
  virtual bool has(std::string_view name) const = 0;
  // The sum of all whose name begins and ends so.
  virtual std::optional<double> sum(std::string_view begin, std::string_view end) const = 0;
  // The text of that name; empty: none.
  virtual std::string text(std::string_view name) const = 0;
};

// Absent: it is no JSON object. Of a list or an object the first number counts.
std::unique_ptr<Values> json_values(std::string_view line);
// A row of a table, whose first line has the names.
std::unique_ptr<Values> csv_values(std::span<const std::string> names, std::string_view line);
// "name: 3", "name 3/100", "name=3ms". A name that begins with "<" is of the number before it
// ("50ms/step"), "^" of the one that the line begins with. The line has to outlive it.
std::unique_ptr<Values> text_values(std::string_view line);

// The names of a table, without quotes and blanks; empty: it is no head of one.
std::vector<std::string> csv_names(std::string_view line);

// What a terminal would show in the end: without colours, and without what a carriage return or
// backspaces take away; of several blanks one.
std::string as_shown(std::string_view line);

}  // namespace batchscope::stepfeed
