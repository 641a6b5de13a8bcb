#include "batchscope/engine/abilities.hpp"

#include <gtest/gtest.h>

#include "testing/engines/stub_engine.hpp"

namespace batchscope::engine {
namespace {

// StubModel's, with abilities in the order that makes their parts of the object lie apart.
class AbleModel final : public ModelWith<TellsLosses, HoldsBack> {
 public:
  base::Result<std::unique_ptr<Batch>> prepare(const schema::Shape&) override {
    return std::make_unique<Batch>();
  }
  base::Result<void> run(Batch&, PhaseSink&) override { return {}; }
  base::Result<void> wait(PhaseSink&) override { return {}; }
  void reset_memory_peaks() override {}
  schema::Memory memory() const override { return {}; }
  std::optional<double> last_loss() const override { return 0.25; }
  base::Result<void> hold_back(int64_t bytes) override {
    held_back = bytes;
    return {};
  }

  int64_t held_back = 0;
};

TEST(Abilities, AreFoundByType) {
  AbleModel able;
  Model& model = able;
  auto* const losses = model.as<TellsLosses>();
  ASSERT_NE(losses, nullptr);
  EXPECT_EQ(losses->last_loss(), 0.25);
  EXPECT_TRUE(losses->first_losses().empty());
  EXPECT_FALSE(losses->skipped_steps());
  auto* const holder = model.as<HoldsBack>();
  ASSERT_NE(holder, nullptr);
  ASSERT_TRUE(holder->hold_back(7));
  EXPECT_EQ(able.held_back, 7);
}

TEST(Abilities, AreNotFoundWhereThereAreNone) {
  AbleModel able;
  EXPECT_EQ(able.as<TakesTensors>(), nullptr);
  EXPECT_EQ(able.as<ShowsGradients>(), nullptr);
  EXPECT_EQ(able.as<ImaginesUsage>(), nullptr);
  EXPECT_EQ(able.as<Diagnoses>(), nullptr);
  StubModel plain;
  EXPECT_EQ(plain.as<HoldsBack>(), nullptr);
}

TEST(Abilities, ThatWorkNeedsAreAnErrorWhereTheyLack) {
  AbleModel able;
  const auto there = require<HoldsBack>(able);
  ASSERT_TRUE(there);
  EXPECT_EQ(*there, able.as<HoldsBack>());
  const auto absent = require<TakesTensors>(able);
  ASSERT_FALSE(absent);
  EXPECT_EQ(absent.error().kind, base::ErrorKind::failed);
  EXPECT_NE(absent.error().what.find("its own inputs"), std::string::npos);
  EXPECT_EQ(absent.error().where, "--engine");
  EXPECT_FALSE(absent.error().fix.empty());
}

TEST(Abilities, AreEachExplained) {
  for (const Ability ability :
       {Ability::takes_tensors, Ability::holds_back, Ability::tells_losses,
        Ability::shows_gradients, Ability::imagines_usage, Ability::diagnoses}) {
    EXPECT_FALSE(lacks(ability).what.empty());
    EXPECT_FALSE(lacks(ability).fix.empty());
  }
}

}  // namespace
}  // namespace batchscope::engine
