// Finds the best batch size of an embedding pipeline that batchscope knows nothing of, and shows
// where the time of one batch goes. docs/guide/measure/cpp-api.md walks through it.
//
//   embed_texts profile run.jsonl [blocks]
//   embed_texts trace trace.json

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "batchscope/base/file.hpp"
#include "batchscope/ranges/chrome_trace.hpp"
#include "batchscope/ranges/profiler.hpp"
#include "batchscope/ranges/tree.hpp"
#include "batchscope/study/profile.hpp"
#include "embedder.hpp"

namespace {

using namespace batchscope;

// Texts in, vectors out. Each step is a range, which ends where it goes out of scope.
std::vector<float> embed(const example::Embedder& embedder, std::span<const std::string> texts,
                         ranges::Profiler& profiler) {
  profiler.begin("tokenize");
  const example::Rows rows = embedder.tokenize(texts);
  profiler.end();
  profiler.begin("pad");
  const example::PaddedBatch batch = embedder.pad(rows);
  profiler.end();
  std::vector<float> states;
  {
    const ranges::Range forward = profiler.range("forward");
    states = embedder.forward(batch);
  }
  const ranges::Range pool = profiler.range("pool");
  return embedder.pool(batch, states);
}

int fail(const base::Error& error) {
  std::fprintf(stderr, "embed_texts: %s\n", base::to_string(error).c_str());
  return EXIT_FAILURE;
}

int profile_batch_sizes(const std::string& output, const char* blocks) {
  const std::vector<int64_t> batch_sizes{1, 2, 4, 8, 16, 32};
  const example::Embedder embedder(/*seed=*/1);
  std::vector<std::string> texts;

  study::ProfileOptions options;
  options.name = "embed_texts";
  options.description = "hashed words, two layers, mean pooling";
  options.prepare = [&](int64_t batch_size) {
    texts = example::make_texts(static_cast<std::size_t>(batch_size));
  };
  options.output = output;
  options.command_line = {"embed_texts", "profile", output};
  if (blocks != nullptr) options.blocks = std::atoi(blocks);

  const auto iteration = [&](int64_t, ranges::Profiler& profiler) {
    embed(embedder, texts, profiler);
  };
  const auto profiled = study::profile(iteration, batch_sizes, options);
  if (!profiled) return fail(profiled.error());

  for (const std::string& words : profiled->summary.words) std::printf("%s\n", words.c_str());
  std::printf("\nbatchscope report %s shows all of it.\n", output.c_str());
  return EXIT_SUCCESS;
}

int trace_one_batch(const std::string& output) {
  const example::Embedder embedder(/*seed=*/1);
  const std::vector<std::string> texts = example::make_texts(32);

  ranges::Profiler profiler({.memory = true});
  for (int i = 0; i < 3; ++i) {
    const ranges::Range batch = profiler.range("batch");
    embed(embedder, texts, profiler);
  }
  const ranges::Recording recording = profiler.recording();
  std::printf("%s", ranges::tree_text(ranges::tree(recording)).c_str());
  const auto written = base::write_file_atomically(output, ranges::chrome_trace(recording));
  return written ? EXIT_SUCCESS : fail(written.error());
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view verb = argc > 2 ? argv[1] : "";
  if (verb == "profile") return profile_batch_sizes(argv[2], argc > 3 ? argv[3] : nullptr);
  if (verb == "trace") return trace_one_batch(argv[2]);
  std::fprintf(stderr,
               "usage: embed_texts profile RUN.jsonl [BLOCKS]\n"
               "       embed_texts trace TRACE.json\n");
  return 2;
}
