#include "batchscope/serving/cost_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "batchscope/stats/descriptive.hpp"

namespace batchscope::serving {
namespace {

using base::Error;
using base::ErrorKind;

constexpr int64_t kGridSteps = 128;

// Linear; a below b. Exact for times that grow as a + b x with the batch, as most do. So it is
// between lengths: any mean of two such laws is one again, but not a mean of their logarithms; and
// where the time bends upwards with the length, as with attention, it errs on the slow side.
double between(double x, double a, double b, double at_a, double at_b) {
  return at_a + (x - a) / (b - a) * (at_b - at_a);
}

double as_double(int64_t value) {
  return static_cast<double>(value);
}

Error wrong(std::string_view where, std::string what, std::string fix) {
  return {ErrorKind::input, std::move(what), std::string(where), std::move(fix)};
}

base::Result<void> check(const std::vector<CostPoint>& points, std::string_view where) {
  std::set<int64_t> sizes;
  for (const CostPoint& point : points) {
    sizes.insert(point.batch_size);
    if (point.seq_len.has_value() != points.front().seq_len.has_value()) {
      return wrong(where, "some batch sizes have a length and some have none",
                   "measure all of them with --seq-lens, or none");
    }
    const bool times =
        !point.times_s.empty() && std::all_of(point.times_s.begin(), point.times_s.end(),
                                              [](double t) { return std::isfinite(t) && t > 0; });
    if (!times || point.batch_size < 1 || point.seq_len.value_or(1) < 1) {
      return wrong(where, fmt::format("batch {} has no usable times", point.batch_size),
                   "measure it again");
    }
  }
  if (sizes.size() >= 2) return {};
  return wrong(
      where,
      sizes.empty()
          ? "the run has no measured batch size"
          : fmt::format("the run has only batch {}: its growth with the batch size is unknown",
                        *sizes.begin()),
      "profile several batch sizes");
}

}  // namespace

base::Result<CostTable> CostTable::from_points(std::vector<CostPoint> points,
                                               std::string_view where) {
  if (auto checked = check(points, where); !checked) return checked.error();
  std::map<int64_t, std::map<int64_t, std::vector<double>>> by_length;
  for (CostPoint& point : points) {
    auto& times = by_length[point.seq_len.value_or(0)][point.batch_size];
    times.insert(times.end(), point.times_s.begin(), point.times_s.end());
  }
  CostTable table;
  std::set<int64_t> sizes;
  for (auto& [length, row] : by_length) {
    if (length > 0) table.lengths_.push_back(length);
    Row& added = table.rows_.emplace_back();
    for (auto& [size, times] : row) {
      sizes.insert(size);
      std::sort(times.begin(), times.end());
      const double mean = stats::mean(times);
      added.push_back({size, std::move(times), mean});
    }
  }
  table.batch_sizes_.assign(sizes.begin(), sizes.end());
  return table;
}

template <class Value>
double CostTable::evaluate(int64_t batch_size, int64_t tokens, const Value& value) const {
  const auto in_row = [&](const Row& row) {
    const auto above =
        std::lower_bound(row.begin(), row.end(), batch_size,
                         [](const Size& size, int64_t wanted) { return size.batch_size < wanted; });
    if (above == row.end()) {
      return value(row.back()) * as_double(batch_size) / as_double(row.back().batch_size);
    }
    if (above == row.begin() || above->batch_size == batch_size) return value(*above);
    const Size& below = *(above - 1);
    return between(as_double(batch_size), as_double(below.batch_size), as_double(above->batch_size),
                   value(below), value(*above));
  };
  if (lengths_.empty()) return in_row(rows_.front());
  const auto above = std::lower_bound(lengths_.begin(), lengths_.end(), tokens);
  const auto index = static_cast<std::size_t>(above - lengths_.begin());
  if (above == lengths_.end()) {
    return in_row(rows_.back()) * as_double(tokens) / as_double(lengths_.back());
  }
  if (index == 0 || *above == tokens) return in_row(rows_[index]);
  return between(as_double(tokens), as_double(lengths_[index - 1]), as_double(*above),
                 in_row(rows_[index - 1]), in_row(rows_[index]));
}

double CostTable::mean_s(int64_t batch_size, int64_t tokens) const {
  return evaluate(batch_size, tokens, [](const Size& size) { return size.mean_s; });
}

double CostTable::sample_s(int64_t batch_size, int64_t tokens, double u) const {
  return evaluate(batch_size, tokens, [u](const Size& size) {
    const auto n = static_cast<double>(size.ascending_s.size());
    const auto index = static_cast<std::size_t>(u * n);
    return size.ascending_s[std::min(index, size.ascending_s.size() - 1)];
  });
}

Match CostTable::match(int64_t batch_size, int64_t tokens) const {
  const auto in_row = [batch_size](const Row& row) {
    if (batch_size < row.front().batch_size) return Match::smaller;
    if (batch_size > row.back().batch_size) return Match::beyond;
    const bool has = std::any_of(row.begin(), row.end(), [batch_size](const Size& size) {
      return size.batch_size == batch_size;
    });
    return has ? Match::measured : Match::interpolated;
  };
  if (lengths_.empty()) return in_row(rows_.front());
  const auto above = std::lower_bound(lengths_.begin(), lengths_.end(), tokens);
  if (above == lengths_.end()) return Match::beyond;
  const auto index = static_cast<std::size_t>(above - lengths_.begin());
  const Match upper = in_row(rows_[index]);
  if (*above == tokens) return upper;
  if (index == 0) return std::max(upper, Match::smaller);
  return std::max({upper, in_row(rows_[index - 1]), Match::interpolated});
}

int64_t CostTable::fastest_batch(int64_t tokens, int64_t largest) const {
  const auto end = std::upper_bound(batch_sizes_.begin(), batch_sizes_.end(), largest);
  if (end == batch_sizes_.begin()) return largest;
  return *std::min_element(batch_sizes_.begin(), end, [&](int64_t a, int64_t b) {
    return mean_s(a, tokens) * as_double(b) < mean_s(b, tokens) * as_double(a);
  });
}

BatchCosts::BatchCosts(const CostTable& table, int64_t largest_batch)
    : largest_batch_(std::max<int64_t>(1, largest_batch)) {
  if (!table.lengths().empty()) {
    step_ = (table.lengths().back() + kGridSteps - 1) / kGridSteps;
    columns_ = (table.lengths().back() + step_ - 1) / step_;
  }
  seconds_.reserve(static_cast<std::size_t>(largest_batch_ * columns_));
  for (int64_t count = 1; count <= largest_batch_; ++count) {
    for (int64_t column = 1; column <= columns_; ++column) {
      seconds_.push_back(table.mean_s(count, column * step_));
    }
  }
}

double BatchCosts::operator()(int64_t count, int64_t longest) const {
  const auto at = [&](int64_t column) {
    return seconds_[static_cast<std::size_t>((count - 1) * columns_ + column)];
  };
  if (step_ == 0) return at(0);
  const int64_t column = std::max<int64_t>(0, (longest - 1) / step_);
  if (column < columns_) return at(column);
  return at(columns_ - 1) * as_double(longest) / as_double(columns_ * step_);
}

}  // namespace batchscope::serving
