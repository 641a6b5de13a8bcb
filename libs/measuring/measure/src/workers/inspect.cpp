#include "batchscope/measure/inspect.hpp"

#include <utility>

#include "failure.hpp"
#include "protocol.hpp"
#include "worker_process.hpp"

namespace batchscope::measure {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;

// What helps who has a file that ends those who open it.
std::string fix_of_file(const schema::Event& event) {
  if (event.kind == schema::EventKind::timeout) return event.fix;
  if (event.kind != schema::EventKind::out_of_memory) return "check the file, or load another";
  return "check the file, or raise --memory-limit if it is that large";
}

// Something happened to the process. Where the file itself could be opened, its inputs may be said
// instead of tried.
Error lost(const WorkerRequest& request, const schema::Event& event) {
  const std::string& path = request.visit.model.path;
  if (request.asks_facts) {
    return {ErrorKind::failed, "inspection failed: " + event.what, path, fix_of_file(event)};
  }
  return {
      ErrorKind::failed, "cannot infer its inputs: " + event.what, path,
      "state its inputs: one --input NAME:DIMENSIONS:TYPE for each input, such as --input x:Bx64"};
}

schema::Event event_in(WorkerAnswer& answer) {
  if (answer.reply && answer.reply->failure) return *std::move(answer.reply->failure);
  return event_of(answer.end);
}

}  // namespace

// The file by itself first: what is said of its inputs then holds of a file that can be opened.
Result<InspectedModel> inspect_in_worker(const ProcessOptions& options, const std::string& engine,
                                         const engine::ModelSpec& model,
                                         const std::stop_token& stop) {
  auto worker = WorkerProcess::start(options, options.worker_argv, {});
  if (!worker) return std::move(worker).error();
  WorkerRequest request;
  request.visit.run.engine = engine;
  request.visit.run.model = model.name;
  request.visit.model = model;
  const auto ask =
      [&]<class Reported>(std::optional<Reported> WorkerReply::*answer) -> Result<Reported> {
    auto stated = (*worker)->ask(request, options.timeout_ns, nullptr, stop);
    if (!stated) return std::move(stated).error();
    auto& reply = stated->reply;
    if (reply && reply->refusal) return *std::move(reply->refusal);
    if (reply && (*reply).*answer) return *std::move((*reply).*answer);
    return lost(request, event_in(*stated));
  };
  request.asks_facts = true;
  auto facts = ask(&WorkerReply::facts);
  if (!facts) return std::move(facts).error();
  request.asks_facts = false;
  request.asks_inputs = true;
  auto inputs = ask(&WorkerReply::inputs);
  if (!inputs) return std::move(inputs).error();
  return InspectedModel{*std::move(facts), std::move(inputs->inputs)};
}

}  // namespace batchscope::measure
