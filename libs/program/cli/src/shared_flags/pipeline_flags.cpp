#include "shared_flags/pipeline_flags.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <iterator>

#include "batchscope/base/algorithms.hpp"
#include "batchscope/base/lists.hpp"
#include "batchscope/base/parse_number.hpp"
#include "batchscope/base/strings.hpp"
#include "batchscope/engine/texts.hpp"
#include "batchscope/engines/padding.hpp"

namespace batchscope::cli {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;
using Pipelines = std::vector<schema::TextPipeline>;

constexpr std::string_view kMadeUp = "synthetic:";
constexpr std::string_view kUsualRange = "4-256:";  // tokens

// Replaces every pipeline that `applies` by one for each value of an axis.
template <class Value, class Set>
void multiply(
    Pipelines& pipelines, const std::vector<Value>& values, Set set,
    bool (*applies)(const schema::TextPipeline&) = [](const auto&) { return true; }) {
  Pipelines product;
  for (const schema::TextPipeline& pipeline : pipelines) {
    if (!applies(pipeline)) {
      product.push_back(pipeline);
      continue;
    }
    for (const Value& value : values) {
      product.push_back(pipeline);
      set(product.back(), value);
    }
  }
  if (!values.empty()) pipelines = std::move(product);
}

Result<std::vector<int64_t>> numbers(const std::vector<std::string>& typed, const char* flag) {
  if (typed.empty()) return std::vector<int64_t>{};
  auto values = base::parse_integers(base::join(typed, ","));
  if (values) return values;
  Error error = std::move(values).error();
  error.where = flag;
  return error;
}

Result<void> check_paddings(const std::vector<std::string>& typed) {
  for (const std::string& text : typed) {
    if (auto known = engines::check_padding(schema::Padding(text)); !known) return known;
  }
  return {};
}

// "synthetic:16-128:lognormal(48,0.6)", or without the range.
Result<void> read_made_up(std::string_view law, study::Axes& axes) {
  const bool ranged = law.find(':') != std::string_view::npos;
  auto mix = study::parse_length_mix((ranged ? "" : std::string(kUsualRange)) + std::string(law));
  if (!mix) {
    Error error = std::move(mix).error();
    if (error.where.empty()) error.where = "--texts";
    return error;
  }
  axes.length_mixes.push_back(*std::move(mix));
  return {};
}

// Where the texts come from: a file, made up by a law of lengths, or of the lengths typed. Tells
// how many the file has; 0 where there is none.
Result<int64_t> read_texts(const PipelineFlags& flags, study::Axes& axes, std::string& file) {
  auto lengths = numbers(flags.text_lengths, "--text-lengths");
  if (!lengths) return std::move(lengths).error();
  if (!lengths->empty() && !(axes.seq_lens.empty() && axes.length_mixes.empty())) {
    return Error{ErrorKind::usage, "both set the length of the texts", "--seq-lens, --text-lengths",
                 "leave one out"};
  }
  if (!lengths->empty()) axes.seq_lens = *std::move(lengths);
  if (flags.texts.empty()) return 0;
  if (!axes.seq_lens.empty() || !axes.length_mixes.empty()) {
    return Error{ErrorKind::usage, "both set the length of the texts", "--texts, --text-lengths",
                 "leave one out: --text-lengths makes up the texts"};
  }
  if (flags.texts.starts_with(kMadeUp)) {
    auto read = read_made_up(std::string_view(flags.texts).substr(kMadeUp.size()), axes);
    return read ? Result<int64_t>(0) : std::move(read).error();
  }
  // Read once now, so that what is wrong with it is said before anything is measured.
  const auto texts = engine::read_texts(flags.texts);
  if (!texts) return texts.error();
  file = flags.texts;
  return std::ssize(*texts);
}

bool is_sorted(const schema::TextPipeline& pipeline) {
  return pipeline.order == schema::TextOrder::sorted;
}

struct SortWindow {
  int64_t texts = 0;  // 0: as many as there are
  bool all = false;
  bool operator==(const SortWindow&) const = default;
};

// `texts`: of the file; 0: made up.
Result<SortWindow> sort_window(const std::string& typed, int64_t texts) {
  if (typed == "all") return SortWindow{texts, true};
  const auto window = base::parse_number<int64_t>(typed);
  if (window && *window > 0 && *window <= schema::kLargestSize) {
    return texts > 0 && *window >= texts ? SortWindow{texts, true} : SortWindow{*window, false};
  }
  return Error{ErrorKind::usage, fmt::format("'{}' is no number of texts", typed), "--sort-window",
               "use all, or a number: 64"};
}

Result<std::vector<SortWindow>> sort_windows(const PipelineFlags& flags, int64_t texts) {
  if (!flags.sort_windows.empty() && !base::contains(flags.orders, std::string("sorted"))) {
    return Error{ErrorKind::usage, "has no effect on texts that are not sorted", "--sort-window",
                 "add --order sorted, or leave it out"};
  }
  std::vector<SortWindow> windows;
  for (const std::string& typed : flags.sort_windows) {
    auto window = sort_window(typed, texts);
    if (!window) return std::move(window).error();
    base::add_if_new(windows, *window);
  }
  if (windows.empty()) windows.push_back({texts, true});
  return windows;
}

void set_window(schema::TextPipeline& pipeline, const SortWindow& window) {
  pipeline.sort_window = window.texts;
  pipeline.sort_all = window.all;
}

bool is_typed(const PipelineFlags& flags) {
  return flags.no_normalize || flags.max_length > 0 || !typed_axes(flags).empty() ||
         !flags.tokenizer.empty() || !flags.pooling.empty();
}

}  // namespace

void add_pipeline(CLI::App& app, PipelineFlags& flags) {
  const std::string group = "Texts in, vectors out";
  app.add_option("--pipeline", flags.pipeline, "embed: tokenize, pad, run the model, pool")
      ->check(CLI::IsMember({"embed"}))
      ->group(group);
  app.add_option(
         "--texts", flags.texts,
         "a file with one text per line, or synthetic:lognormal(48,0.6): generated texts of "
         "these lengths in tokens")
      ->group(group);
  app.add_option("--text-lengths", flags.text_lengths,
                 "tokens of each generated text, as --batch-sizes")
      ->group(group);
  app.add_option("--tokenizer", flags.tokenizer, "tokenizer.xml (default: the model's own)")
      ->group(group);
  app.add_option("--tokenizer-threads", flags.tokenizer_threads,
                 "threads that tokenize the texts of a batch, as --batch-sizes (default 1)")
      ->group(group);
  app.add_option("--padding", flags.paddings,
                 "longest (of the batch), multiple:8, max (of the model); several with commas")
      ->delimiter(',')
      ->group(group);
  app.add_option("--order", flags.orders, "arrival, sorted (by length); several with commas")
      ->delimiter(',')
      ->check(CLI::IsMember({"arrival", "sorted"}))
      ->group(group);
  app.add_option(
         "--sort-window", flags.sort_windows,
         "with --order sorted: how many texts to sort together before forming batches: all "
         "(default), as in an offline job, or as many as wait in a queue: 64; several with commas")
      ->delimiter(',')
      ->type_name("N|all")
      ->group(group);
  app.add_option("--token-budget", flags.token_budgets,
                 "most tokens of one forward pass, padding included; a batch may take several; as "
                 "--batch-sizes")
      ->group(group);
  app.add_option(
         "--max-length", flags.max_length,
         "longest text in tokens; cuts longer ones (default: the limit published with the model)")
      ->check(CLI::Range(int64_t{1}, schema::kLargestSize))
      ->group(group);
  app.add_option("--pooling", flags.pooling, "mean, cls, none (default: the model's own)")
      ->check(CLI::IsMember({"mean", "cls", "none"}))
      ->group(group);
  app.add_flag("--no-normalize", flags.no_normalize, "do not scale the vectors to length 1")
      ->group(group);
}

Result<void> read_pipeline(const PipelineFlags& flags, study::Axes& axes) {
  if (flags.pipeline.empty()) {
    if (!is_typed(flags)) return {};
    return Error{ErrorKind::usage, "have no effect without a pipeline", "--texts, --tokenizer, ...",
                 "add --pipeline embed, or leave them out"};
  }
  schema::TextPipeline first;
  first.tokenizer = flags.tokenizer;
  first.pooling = schema::OpenEnum<schema::Pooling>(flags.pooling);
  first.max_length = flags.max_length;
  first.normalize = !flags.no_normalize;
  auto texts = read_texts(flags, axes, first.texts);
  if (!texts) return std::move(texts).error();
  if (auto known = check_paddings(flags.paddings); !known) return known;
  auto threads = numbers(flags.tokenizer_threads, "--tokenizer-threads");
  if (!threads) return std::move(threads).error();
  auto budgets = numbers(flags.token_budgets, "--token-budget");
  if (!budgets) return std::move(budgets).error();
  axes.pipelines = {first};
  multiply(axes.pipelines, *threads,
           [](auto& p, int64_t v) { p.tokenizer_threads = static_cast<int>(v); });
  multiply(axes.pipelines, flags.paddings,
           [](auto& p, const auto& v) { p.padding = schema::Padding(v); });
  multiply(axes.pipelines, flags.orders,
           [](auto& p, const auto& v) { p.order = schema::OpenEnum<schema::TextOrder>(v); });
  auto windows = sort_windows(flags, *texts);
  if (!windows) return std::move(windows).error();
  multiply(axes.pipelines, *windows, set_window, is_sorted);
  multiply(axes.pipelines, *budgets, [](auto& p, int64_t v) { p.token_budget = v; });
  return {};
}

std::map<std::string, std::string> typed_axes(const PipelineFlags& flags) {
  std::map<std::string, std::string> axes;
  const auto add = [&](const char* name, const std::string& typed) {
    if (!typed.empty()) axes[name] = typed;
  };
  add("pipeline", flags.pipeline);
  add("texts", flags.texts);
  add("text_lengths", base::join(flags.text_lengths, ","));
  add("tokenizer_threads", base::join(flags.tokenizer_threads, ","));
  add("padding", base::join(flags.paddings, ","));
  add("order", base::join(flags.orders, ","));
  add("sort_window", base::join(flags.sort_windows, ","));
  add("token_budget", base::join(flags.token_budgets, ","));
  return axes;
}

}  // namespace batchscope::cli
