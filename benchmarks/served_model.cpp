#include "served_model.hpp"

#include <chrono>
#include <thread>
#include <utility>
#include <vector>

#include "batchscope/stats/rng.hpp"

namespace batchscope {
namespace {

// At most so long, about as a server waits for the next request.
constexpr std::chrono::duration<double, std::milli> kPause(60);

class NoPhases : public engine::PhaseSink {
  void phase(std::string_view, int64_t, std::optional<int64_t>) override {}
};

}  // namespace

ServedModel::ServedModel(engine::Model& model)
    : model_(model),
      thread_(
          [this](std::span<const Shape> shapes, int) -> base::Result<std::vector<int>> {
            if (auto done = run_here(shapes.front()); !done) return done.error();
            return std::vector<int>(1);
          },
          {.policy = make_policy(serving::TakeAll{.max_batch = 1})}) {}

base::Result<void> ServedModel::run(int64_t batch_size, int64_t seq_len) {
  const auto answer = thread_.submit({batch_size, seq_len}).answer.get();
  if (answer) return {};
  return base::Error{base::ErrorKind::failed, answer.failure().message, "the model", ""};
}

base::Result<serving::CostTable> ServedModel::measure(std::span<const int64_t> batch_sizes,
                                                      std::span<const int64_t> lengths, int repeats,
                                                      double idle) {
  std::vector<Shape> shapes;
  for (const int64_t batch_size : batch_sizes) {
    for (const int64_t length : lengths) shapes.emplace_back(batch_size, length);
  }
  stats::Rng rng(2);
  std::map<Shape, std::vector<double>> times;
  for (int round = 0; round <= repeats; ++round) {
    rng.shuffle(std::span(shapes));
    for (const Shape& shape : shapes) {
      if (round > 0 && rng.uniform() < idle) std::this_thread::sleep_for(kPause * rng.uniform());
      const auto took = timed(shape);
      if (!took) return took.error();
      if (round > 0) times[shape].push_back(*took);
    }
  }
  std::vector<serving::CostPoint> points;
  for (auto& [shape, seconds] : times) {
    points.push_back({shape.first, shape.second, std::move(seconds)});
  }
  return serving::CostTable::from_points(std::move(points), "benchmark");
}

base::Result<void> ServedModel::run_here(const Shape& shape) {
  auto& batch = prepared_[shape];
  if (!batch) {
    auto made = model_.prepare(schema::Shape{.batch_size = shape.first, .seq_len = shape.second});
    if (!made) return made.error();
    batch = *std::move(made);
  }
  NoPhases sink;
  return model_.run(*batch, sink);
}

base::Result<double> ServedModel::timed(const Shape& shape) {
  const auto start = std::chrono::steady_clock::now();
  if (auto done = run(shape.first, shape.second); !done) return done.error();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace batchscope
