#include "batchscope/attribution/time_parts.hpp"

#include <algorithm>
#include <numeric>

#include "batchscope/base/capped_sum.hpp"
#include "batchscope/base/enum_names.hpp"

namespace batchscope::attribution {
namespace {

constexpr std::array<base::Name<Part>, kParts> kPartNames{{
    {Part::compute, "compute"},
    {Part::memcpy, "memcpy"},
    {Part::communication, "communication"},
    {Part::data_loading, "data_loading"},
    {Part::synchronisation, "synchronisation"},
    {Part::launch, "launch"},
    {Part::host, "host"},
    {Part::device, "device"},
    {Part::unknown, "unknown"},
}};

constexpr size_t kFirstIdle = static_cast<size_t>(Part::data_loading);

}  // namespace

std::string_view to_string(Part part) {
  return base::name_of(kPartNames, part);
}

std::string in_words(Part part) {
  std::string words(to_string(part));
  std::replace(words.begin(), words.end(), '_', ' ');
  return words;
}

Part TimeParts::largest() const {
  return static_cast<Part>(std::max_element(ns.begin(), ns.end()) - ns.begin());
}

int64_t TimeParts::wall_ns() const {
  return std::accumulate(ns.begin(), ns.end(), int64_t{0}, base::capped_sum);
}

int64_t TimeParts::idle_ns() const {
  return std::accumulate(ns.begin() + kFirstIdle, ns.end(), int64_t{0}, base::capped_sum);
}

double TimeParts::share(Part part) const {
  const int64_t wall = wall_ns();
  return wall > 0 ? static_cast<double>((*this)[part]) / static_cast<double>(wall) : 0;
}

double TimeParts::busy_share() const {
  const int64_t wall = wall_ns();
  return wall > 0 ? static_cast<double>(busy_ns()) / static_cast<double>(wall) : 0;
}

TimeParts& TimeParts::operator+=(const TimeParts& other) {
  for (size_t i = 0; i < kParts; ++i) ns[i] = base::capped_sum(ns[i], other.ns[i]);
  return *this;
}

}  // namespace batchscope::attribution
