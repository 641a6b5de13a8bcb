#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace batchscope::charts {

// Pieces of a gnuplot script. Names are untrusted: they enter it only through literal().

// A string of gnuplot that reads back as exactly these bytes. All but harmless characters are
// written in octal, so there is nothing that could end the string, or start a substitution of a
// command or macro in it.
std::string literal(std::string_view text);
// The literal of a text that is shown: cleaned and cut to `longest` columns. The terminals are set
// to noenhanced, so no character is markup either.
std::string label(std::string_view text, std::size_t longest = 110);
// A number as data; NaN when not finite, which gnuplot passes over.
std::string number(double value);

// One picture: the commands that draw it, and its size in pixels.
struct Chart {
  std::string name;
  int width = 0;
  int height = 0;
  std::string commands;
};

// Collects the commands of one picture, and the elements of its `plot`.
class ChartScript {
 public:
  using Row = std::vector<std::string>;

  void command(std::string_view text);
  // Adds a block of inline data; the result is its name, "$d3".
  std::string data(const std::vector<Row>& rows);
  // One element of the plot: "$d3 with lines"; never in the legend.
  void element(const std::string& text);
  // data() and element() in one; nothing when there are no rows.
  void draw(const std::vector<Row>& rows, const std::string& style);
  // A line of the legend: "with lines lw 2" and its text.
  void legend(const std::string& style, std::string_view title);
  int legend_entries() const { return static_cast<int>(legend_.size()); }
  std::size_t longest_legend() const { return longest_legend_; }  // in columns
  // Ends one plot; a picture may hold several (panels).
  void plot();
  std::string take();

 private:
  std::string commands_;
  std::vector<std::string> elements_;
  std::vector<std::string> legend_;
  std::size_t longest_legend_ = 0;
  int blocks_ = 0;
};

}  // namespace batchscope::charts
