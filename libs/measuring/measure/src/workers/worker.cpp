#include "batchscope/measure/worker.hpp"

#include <sys/prctl.h>

#include <cerrno>
#include <fstream>
#include <new>
#include <string>
#include <string_view>
#include <system_error>

#include "batchscope/base/line_channel.hpp"
#include "batchscope/host/usage.hpp"
#include "batchscope/schema/device_name.hpp"
#include "failure.hpp"
#include "protocol.hpp"
#include "visits/visit_maker.hpp"

namespace batchscope::measure {
namespace {

using base::Result;

constexpr int kAnswered = 0, kFailed = 1;
constexpr std::string_view kHost = "cpu";

WorkerReply failed(const base::Error& error, std::string_view device, bool fatal) {
  WorkerReply reply;
  reply.failure = event_of(error, device);
  reply.fatal = fatal;
  return reply;
}

// The parent tells each when all are there.
class ParentsCompanions final : public InstanceBarrier {
 public:
  ParentsCompanions(base::LineChannel& parent, std::string_view secret)
      : parent_(parent), secret_(secret) {}

  Result<void> arrive(BarrierPhase meeting, int64_t wanted) override {
    return parent_.send_line(base::marked(
        numbered(meeting == BarrierPhase::ready ? kReadyLine : kTimedLine, wanted), secret_));
  }
  bool are_there() override { return parent_.has_input(); }
  Result<int64_t> join() override {
    auto line = parent_.receive_line();
    if (!line) return std::move(line).error();
    const auto agreed = line->has_value() ? number_of(kGoOnLine, **line) : std::nullopt;
    if (agreed) return *agreed;
    return base::Error{base::ErrorKind::failed, "the other instances are gone", "", ""};
  }

 private:
  base::LineChannel& parent_;
  std::string_view secret_;
};

WorkerReply compared(const VisitRequest& request, VisitMaker& maker) {
  const auto difference = maker.compare(request);
  if (!difference) return failed(difference.error(), request.run.device, false);
  WorkerReply reply;
  reply.outputs = *difference;
  return reply;
}

// Of all that the process touches from here on, so before an engine is loaded. Nothing could
// compare them with none on a system that gives none to anybody.
Result<void> take_huge_pages(const std::optional<bool>& wanted) {
  if (!wanted) return {};
  std::ifstream file("/sys/kernel/mm/transparent_hugepage/enabled");
  std::string given;
  std::getline(file, given);
  if (*wanted && given.find("[never]") != std::string::npos) {
    return base::Error{base::ErrorKind::failed, "this system provides no transparent huge pages",
                       "",
                       "let root write madvise or always to "
                       "/sys/kernel/mm/transparent_hugepage/enabled"};
  }
  if (prctl(PR_SET_THP_DISABLE, *wanted ? 0 : 1, 0, 0, 0) == 0) return {};
  return base::Error{base::ErrorKind::failed,
                     "the kernel does not let a process choose its huge pages: " +
                         std::system_category().message(errno),
                     "", ""};
}

WorkerReply refused(base::Error error) {
  WorkerReply reply;
  reply.refusal = std::move(error);
  return reply;
}

WorkerReply reported(const WorkerRequest& request, VisitMaker& maker) {
  const auto engine = maker.find_engine(request.visit.run.engine);
  if (!engine) return refused(engine.error());
  WorkerReply reply;
  if (request.asks_facts) {
    auto facts = (*engine)->inspect(request.visit.model);
    if (!facts) return refused(std::move(facts).error());
    reply.facts = *std::move(facts);
  } else {
    auto inputs = (*engine)->inputs_of(request.visit.model);
    if (!inputs) return refused(std::move(inputs).error());
    reply.inputs = ReportedInputs{*std::move(inputs)};
  }
  return reply;
}

WorkerReply reply_to(const WorkerRequest& request, VisitMaker& maker, base::LineChannel& parent) {
  if (request.asks_facts || request.asks_inputs) return reported(request, maker);
  if (request.visit.against) return compared(request.visit, maker);
  if (auto taken = take_huge_pages(request.visit.run.huge_pages); !taken) {
    return failed(taken.error(), kHost, false);
  }
  ParentsCompanions companions(parent, request.secret);
  const bool alone = request.visit.run.instances <= 1;
  const auto on_timed = [&] {
    if (!alone || schema::is_cpu(request.visit.run.device)) return;
    // The parent looks at the GPU now, while its clock is still that of the load.
    if (parent.send_line(base::marked(kTimedLine, request.secret))) (void)parent.receive_line();
  };
  auto made =
      maker.make(request.visit, request.started_ns, on_timed, alone ? nullptr : &companions);
  if (!made) return failed(made.error(), kHost, true);
  WorkerReply reply;
  if (made->visit) {
    reply.visit = *std::move(made->visit);
  } else {
    reply = failed(made->visit.error(), request.visit.run.device, false);
  }
  reply.wall_ns = made->wall_ns;
  reply.virtual_time = made->virtual_time;
  return reply;
}

WorkerReply answer(const Result<WorkerRequest>& request, VisitMaker& maker,
                   base::LineChannel& parent) {
  if (!request) return failed(request.error(), kHost, true);
  try {
    return reply_to(*request, maker, parent);
  } catch (const std::bad_alloc&) {
    // RLIMIT_DATA makes any allocation fail, also one of ours.
    return failed({base::ErrorKind::out_of_memory, "no memory for this configuration", "", ""},
                  kHost, false);
  }
}

}  // namespace

int worker_main(int fd, const EngineFactory& factory) {
  base::LineChannel parent(fd);
  VisitMaker maker(factory, ModelReuse::keep);
  while (true) {
    const auto line = parent.receive_line();
    if (!line) return kFailed;
    if (!line->has_value()) return kAnswered;
    const auto request = parse_request(**line);
    WorkerReply reply = answer(request, maker, parent);
    reply.cpu_ns = host::read_own_usage().cpu_ns();
    const std::string_view secret = request ? std::string_view(request->secret) : "";
    if (!parent.send_line(base::marked(to_line(reply), secret))) return kFailed;
    if (reply.failure) return kFailed;
  }
}

}  // namespace batchscope::measure
