#include "batchscope/document/page_frame.hpp"

#include <fmt/format.h>

#include "batchscope/base/algorithms.hpp"
#include "batchscope/base/strings.hpp"
#include "batchscope/document/html.hpp"

namespace batchscope::document {
namespace {

// Nothing is fetched, and nothing runs or styles but what stands in the page, known by its hash.
std::string policy(const WebBundle& bundle) {
  return fmt::format(
      "default-src 'none'; script-src '{}'; style-src '{}'; img-src data:; base-uri 'none'; "
      "form-action 'none'",
      bundle.script_hash, bundle.style_hash);
}

std::string tile_html(const Tile& tile) {
  return fmt::format(
      "<div class=\"tile\"><dt>{}</dt><dd><strong>{}</strong>{}</dd></div>\n",
      html_text(tile.label), html_text(tile.value),
      tile.beside.empty() ? "" : " <span class=\"beside\">" + html_text(tile.beside) + "</span>");
}

}  // namespace

base::Error no_page(const char* instead) {
  return {base::ErrorKind::failed, "this build has no HTML report", "-o",
          fmt::format("{}, or build with node: apt-get install nodejs npm, npm ci in web/report, "
                      "and cmake again",
                      instead)};
}

std::string tiles_html(const std::vector<Tile>& tiles) {
  if (tiles.empty()) return "";
  return "<dl class=\"tiles\">\n" + base::join(base::mapped(tiles, tile_html), "") + "</dl>\n";
}

std::string page_head(const std::string& title, const WebBundle& bundle) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"referrer\" content=\"no-referrer\">\n"
      "<title>{}</title>\n<style>{}</style>\n</head>\n",
      policy(bundle), html_text(title), bundle.style);
}

std::string navigation(const std::vector<PagePart>& parts) {
  std::string links;
  for (const PagePart& part : parts) {
    if (!part.in_menu) continue;
    links += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", part.id, part.title);
  }
  return "<nav aria-label=\"Sections\"><ul>\n" + links + "</ul></nav>\n";
}

std::string part_html(const PagePart& part) {
  if (part.folded) {
    return fmt::format(
        "<section id=\"{0}\" class=\"{0}\" aria-labelledby=\"{0}-title\">\n"
        "<details class=\"fold\"><summary><h2 id=\"{0}-title\">{1}</h2></summary>\n{2}</details>"
        "</section>\n",
        part.id, part.title, part.html);
  }
  return fmt::format(
      "<section id=\"{0}\" class=\"{0}\" aria-labelledby=\"{0}-title\">\n"
      "<h2 id=\"{0}-title\">{1}</h2>\n{2}</section>\n",
      part.id, part.title, part.html);
}

std::string fold(const char* summary, const std::string& html) {
  if (html.empty()) return "";
  return fmt::format("<details class=\"fold\"><summary>{}</summary>\n{}</details>\n", summary,
                     html);
}

std::string data_element(const char* id, const std::string& json) {
  return fmt::format("<script type=\"application/json\" id=\"{}\">{}</script>\n", id,
                     script_json(json));
}

}  // namespace batchscope::document
