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
  void operator()(findings::Finding& finding) const {
    (*this)(finding.what);
    (*this)(finding.fix);
  }
  void operator()(findings::Gate& gate) const {
    (*this)(gate.message);
    (*this)(gate.advice);
    for (findings::GateCheck& check : gate.checks) (*this)(check.message);
  }
  void operator()(findings::Answer& answer) const {
    for (std::string* text :
         {&answer.headline, &answer.sure, &answer.machine, &answer.slow, &answer.next}) {
      (*this)(*text);
    }
  }
  void operator()(findings::MemoryLaw& law) const {
    (*this)(law.limit_of);
    (*this)(law.message);
  }

 private:
  base::Spelling spelling_;
};

}  // namespace

void spell_texts(findings::Summary& summary, base::Spelling spelling) {
  const Speller spell(spelling);
  for (findings::Group& group : summary.groups) {
    for (findings::MemoryLaw& law : group.memory_laws) spell(law);
  }
  for (findings::Comparison& comparison : summary.comparisons) spell(comparison.message);
  for (findings::Gate& gate : summary.gates) spell(gate);
  for (findings::Finding& finding : summary.findings) spell(finding);
  for (findings::Recommendation& pick : summary.recommendations) spell(pick.message);
  spell(summary.warnings);
  spell(summary.words);
  spell(summary.answer);
}

}  // namespace batchscope::analyze
