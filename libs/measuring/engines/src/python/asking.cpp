#include "asking.hpp"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <csignal>

#include "batchscope/base/memory_words.hpp"
#include "batchscope/base/strings.hpp"
#include "batchscope/base/subprocess.hpp"
#include "batchscope/schema/describe.hpp"
#include "batchscope/schema/json_line.hpp"
#include "batchscope/schema/tables.hpp"

namespace batchscope::schema {

template <>
const Table& table_of<engines::Question>() {
  using engines::Question;
  static constexpr std::array kFields = {field<&Question::model>("model", {.required = true}),
                                         field<&Question::inputs>("inputs", {.required = true}),
                                         field<&Question::seed>("seed", {.required = true})};
  static constexpr Table kTable{kFields};
  return kTable;
}

template <>
const Table& table_of<engines::Refusal>() {
  using engines::Refusal;
  static constexpr std::array kFields = {field<&Refusal::kind>("kind", {.required = true}),
                                         field<&Refusal::what>("what", {.required = true}),
                                         field<&Refusal::where>("where"),
                                         field<&Refusal::fix>("fix")};
  static constexpr Table kTable{kFields};
  return kTable;
}

template <>
const Table& table_of<engines::ModelFacts>() {
  using engines::ModelFacts;
  static constexpr std::array kFields = {
      field<&ModelFacts::protocol>("protocol", {.required = true}),
      field<&ModelFacts::versions>("versions"),
      field<&ModelFacts::devices>("devices"),
      field<&ModelFacts::description>("description"),
      field<&ModelFacts::hash>("hash"),
      field<&ModelFacts::parameters>("parameters"),
      field<&ModelFacts::inputs>("inputs"),
      field<&ModelFacts::has_seq_len>("has_seq_len"),
      field<&ModelFacts::default_seq_len>("default_seq_len"),
      field<&ModelFacts::trains>("trains"),
      field<&ModelFacts::refusal>("refusal")};
  static constexpr Table kTable{kFields};
  return kTable;
}

}  // namespace batchscope::schema

namespace batchscope::engines {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;

// A model may take its time to load; what hangs for ever is not waited for.
constexpr std::chrono::minutes kLongest{2};
constexpr std::chrono::seconds kToEnd{10};
constexpr std::string_view kModule = "batchscope._inside.facts";

ErrorKind kind_of(const std::string& word) {
  if (word == "usage") return ErrorKind::usage;
  if (word == "input") return ErrorKind::input;
  return word == "out-of-memory" ? ErrorKind::out_of_memory : ErrorKind::failed;
}

Error error_of(const Refusal& refusal) {
  return base::judge_memory({kind_of(refusal.kind), refusal.what, refusal.where, refusal.fix});
}

// The last line that it printed tells most: "ModuleNotFoundError: No module named 'batchscope'".
std::string last_line(std::string_view output) {
  const auto lines = base::split(output, '\n');
  for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
    if (!line->empty()) return base::visible(*line);
  }
  return "it printed nothing";
}

// A signal ends an interpreter for what it did, not for what it is.
Error ended_by(int signal, const std::string& model, const std::string& stated) {
  return {ErrorKind::failed,
          fmt::format("inspection failed: {} ended its interpreter: {}", base::signal_name(signal),
                      stated),
          model,
          signal == SIGKILL ? "if it ran out of memory, raise --memory-limit"
                            : std::string("load it in that interpreter to see why")};
}

Error no_answer(const Interpreter& interpreter, const std::string& model, base::Child& child,
                bool overdue) {
  if (overdue) child.kill();
  const auto exit = child.wait(std::chrono::steady_clock::now() + kToEnd);
  const std::string stated = last_line(child.output_tail());
  if (!model.empty() && !overdue && exit && exit->signal != 0) {
    return ended_by(exit->signal, model, stated);
  }
  const bool missing = stated.find("batchscope") != std::string::npos;
  return {
      ErrorKind::failed,
      overdue ? fmt::format("this Python did not answer within {} minutes; its last output: {}",
                            kLongest.count(), stated)
              : "this Python cannot load models for batchscope: " + stated,
      interpreter.front(),
      missing
          ? "install the package into it (pip install .), or name another interpreter with --python"
          : fmt::format("run import {} in it to see why", kModule)};
}

Result<ModelFacts> parse(const Interpreter& interpreter, const std::string& line) {
  ModelFacts facts;
  schema::JsonLine json;
  std::string problem;
  const bool is_read = json.take(line) && json.read(facts, problem);
  if (is_read && problem.empty() && facts.protocol == kProtocol) return facts;
  return Error{ErrorKind::failed, "the package batchscope of this Python is of another version",
               interpreter.front(), "install the one that belongs to this program"};
}

}  // namespace

Result<ModelFacts> ask(const Interpreter& interpreter, const Question& question,
                       const Confine& confine) {
  base::ChildSpec spec;
  spec.argv = interpreter;
  spec.argv.insert(spec.argv.end(), {"-m", std::string(kModule)});
  const auto limits = confine ? confine(spec) : nullptr;  // there for as long as the process
  auto child = base::Child::spawn(spec);
  if (!child) return std::move(child).error();
  const auto deadline = std::chrono::steady_clock::now() + kLongest;
  (void)child->send_line(schema::json_line("", question), deadline);
  const auto line = child->receive_line(deadline);
  if (!line || !line->has_value())
    return no_answer(interpreter, question.model, *child, child->timed_out());
  auto facts = parse(interpreter, **line);
  if (facts && facts->refusal) return error_of(*facts->refusal);
  return facts;
}

}  // namespace batchscope::engines
