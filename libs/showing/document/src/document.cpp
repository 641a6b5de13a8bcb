#include "batchscope/document/document.hpp"

#include "batchscope/base/algorithms.hpp"

namespace batchscope::document {
namespace {

class Rewriter {
 public:
  explicit Rewriter(const std::function<std::string(const std::string&)>& change)
      : change_(change) {}

  void operator()(Heading& heading) const { apply(heading.text); }
  void operator()(Paragraph& paragraph) const { apply(paragraph.line); }
  void operator()(TextTable& table) const {
    for (Column& column : table.columns) {
      apply(column.title);
      apply(column.second);
    }
    for (std::vector<Cell>& row : table.rows) {
      for (Cell& cell : row) {
        apply(cell.value);
        apply(cell.interval);
      }
    }
  }
  void operator()(KeyValues& facts) const { apply(facts.fields); }
  void operator()(List& list) const {
    for (Item& item : list.items) {
      apply(item.lead);
      apply(item.fields);
    }
  }
  void operator()(Code& code) const { apply(code.text); }
  void operator()(Image& image) const {
    apply(image.alternative);
    apply(image.path);
  }

 private:
  void apply(std::string& text) const { text = change_(text); }
  void apply(Line& line) const {
    for (StyledText& span : line) apply(span.text);
  }
  void apply(std::vector<KeyValue>& fields) const {
    for (KeyValue& field : fields) {
      apply(field.label);
      apply(field.text);
    }
  }

  const std::function<std::string(const std::string&)>& change_;
};

}  // namespace

List sentences(const std::vector<std::string>& all, Tone tone) {
  return {base::mapped(all, [&](const std::string& each) { return Item{{{each, tone}}, {}}; })};
}

void repaint(Document& document, Tone from, Tone to) {
  const auto paint = [&](Tone& tone) {
    if (tone == from) tone = to;
  };
  const auto paint_line = [&](Line& line) {
    for (StyledText& span : line) paint(span.tone);
  };
  for (Block& block : document) {
    if (auto* const paragraph = std::get_if<Paragraph>(&block)) paint_line(paragraph->line);
    if (auto* const list = std::get_if<List>(&block)) {
      for (Item& item : list->items) paint_line(item.lead);
    }
    if (auto* const table = std::get_if<TextTable>(&block)) {
      for (std::vector<Cell>& row : table->rows) {
        for (Cell& cell : row) paint(cell.tone);
      }
    }
  }
}

void rewrite(Document& document, const std::function<std::string(const std::string&)>& change) {
  const Rewriter rewriter(change);
  for (Block& block : document) std::visit(rewriter, block);
}

}  // namespace batchscope::document
