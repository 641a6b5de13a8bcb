#include "batchscope/study/inspected_engine.hpp"

#include <map>
#include <utility>
#include <vector>

#include "batchscope/engine/forwarding_engine.hpp"
#include "batchscope/engine/input_text.hpp"

namespace batchscope::study {
namespace {

using base::Result;
using measure::InspectedModel;

class InspectedEngine final : public engine::ForwardingEngine {
 public:
  InspectedEngine(Inspect inspect, std::unique_ptr<engine::Engine> engine)
      : ForwardingEngine(std::move(engine)), inspect_(std::move(inspect)) {}

  // Names are given to files by whoever measures them, which may be after their inputs are known.
  Result<schema::ModelInfo> inspect(const engine::ModelSpec& spec) override {
    if (spec.path.empty()) return inner().inspect(spec);
    const auto reported = reported_of(spec);
    if (!reported) return reported.error();
    schema::ModelInfo info = reported->facts;
    info.name = spec.name;
    return info;
  }
  Result<std::vector<engine::InputSpec>> inputs_of(const engine::ModelSpec& spec) override {
    if (spec.path.empty()) return inner().inputs_of(spec);
    auto reported = reported_of(spec);
    if (!reported) return std::move(reported).error();
    return std::move(reported->inputs);
  }

 private:
  using Key = std::pair<std::string, std::vector<std::string>>;  // path, inputs as stated

  // A file is asked about without the inputs that it tells, and then with them.
  Result<InspectedModel> reported_of(const engine::ModelSpec& spec) {
    const Key key{spec.path, engine::to_texts(spec.inputs)};
    if (const auto known = known_.find(key); known != known_.end()) return known->second;
    auto reported = inspect_(std::string(name()), spec);
    if (!reported) return reported;
    known_.emplace(key, *reported);
    known_.emplace(Key{spec.path, engine::to_texts(reported->inputs)}, *reported);
    return reported;
  }

  Inspect inspect_;
  std::map<Key, InspectedModel> known_;
};

}  // namespace

std::unique_ptr<engine::Engine> inspected_by(Inspect inspect,
                                             std::unique_ptr<engine::Engine> engine) {
  return std::make_unique<InspectedEngine>(std::move(inspect), std::move(engine));
}

}  // namespace batchscope::study
