#include "spell_texts.hpp"

namespace batchscope::analyze {
namespace {

class Speller {
 public:
  explicit Speller(base::Spelling spelling) : spelling_(spelling) {}

  void operator()(std::string& text) const { text = base::spell(text, spelling_); }
  void operator()(std::vector<std::string>& texts) const {
    for (std::string& text : texts) (*this)(text);
  }
  void operator()(schema::Finding& finding) const {
    (*this)(finding.message);
    (*this)(finding.fix);
  }
  void operator()(schema::Gate& gate) const {
    (*this)(gate.message);
    (*this)(gate.advice);
    for (schema::GateCheck& check : gate.checks) (*this)(check.message);
  }
  void operator()(schema::MemoryLaw& law) const {
    (*this)(law.limit_of);
    (*this)(law.message);
  }

 private:
  base::Spelling spelling_;
};

}  // namespace

void spell_texts(schema::Summary& summary, base::Spelling spelling) {
  const Speller spell(spelling);
  for (schema::Group& group : summary.groups) {
    for (schema::MemoryLaw& law : group.memory_laws) spell(law);
  }
  for (schema::Comparison& comparison : summary.comparisons) spell(comparison.message);
  for (schema::Gate& gate : summary.gates) spell(gate);
  for (schema::Finding& finding : summary.findings) spell(finding);
  for (schema::Recommendation& pick : summary.recommendations) spell(pick.message);
  spell(summary.warnings);
  spell(summary.words);
}

}  // namespace batchscope::analyze
