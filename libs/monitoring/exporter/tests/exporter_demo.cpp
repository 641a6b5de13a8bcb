// Serves a scripted machine for tests of whole programs: exporter_demo ADDRESS [web config]
// [dcgm]. It prints its address, publishes as often as INTERVAL_MS says, and does what it is told
// line by line on standard input: "lose GPU", "xid GPU NUMBER", "finding ID SEVERITY", "pause",
// "go"; it ends with its input.

#include <poll.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "batchscope/exporter/metrics_server.hpp"
#include "scene.hpp"

namespace {

using namespace batchscope;
using namespace std::chrono;

class Demo {
 public:
  explicit Demo(exporter::MetricsServer& server) : server_(server) {}

  void tell(const std::string& line) {
    std::istringstream words(line);
    std::string verb;
    int gpu = 0;
    findings::Finding finding;
    words >> verb;
    if (verb == "lose" && words >> gpu) lost_.insert(gpu);
    if (verb == "pause" || verb == "go") paused_ = verb == "pause";
    if (verb == "xid" && words >> gpu) words >> xids_[gpu];
    if (verb == "finding" && words >> finding.id >> verb) {
      finding.severity = findings::parse_severity(verb).value();
      findings_.push_back(finding);
    }
  }

  void publish() {
    if (paused_) return;
    const int64_t now = duration_cast<nanoseconds>(system_clock::now().time_since_epoch()).count();
    const int64_t elapsed = duration_cast<seconds>(steady_clock::now() - begin_).count();
    auto exposition = exporter::scene::at(8, now, elapsed);
    for (const int gpu : lost_)
      exporter::scene::lose(exposition.sample.gpus.at(static_cast<std::size_t>(gpu)));
    for (const auto& [gpu, xid] : xids_) {
      exposition.sample.gpus.at(static_cast<std::size_t>(gpu)).xid_errors_total = {{xid, 1}};
    }
    exposition.findings = findings_;
    server_.publish(std::move(exposition));
  }

 private:
  exporter::MetricsServer& server_;
  steady_clock::time_point begin_ = steady_clock::now();
  std::set<int> lost_;
  std::map<int, std::string> xids_;
  std::vector<findings::Finding> findings_;
  bool paused_ = false;
};

// Lines as they come, and a sample as often as the interval says.
void run(Demo& demo, milliseconds interval) {
  std::string pending;
  auto next = steady_clock::now();
  for (;;) {
    const auto now = steady_clock::now();
    if (now >= next) {
      demo.publish();
      next = now + interval;
    }
    pollfd input{STDIN_FILENO, POLLIN, 0};
    poll(&input, 1, static_cast<int>(duration_cast<milliseconds>(next - now).count()) + 1);
    if (input.revents == 0) continue;
    char part[4096];
    const ssize_t bytes = read(STDIN_FILENO, part, sizeof(part));
    if (bytes <= 0) return;
    pending.append(part, static_cast<std::size_t>(bytes));
    for (std::size_t end = 0; (end = pending.find('\n')) != std::string::npos;
         pending.erase(0, end + 1)) {
      const std::string line = pending.substr(0, end);
      demo.tell(line);
      demo.publish();
      // Only now: whoever reads this asks for what was published.
      std::cout << "done " << line << std::endl;
    }
  }
}

}  // namespace

int main(int count, char** words) {
  exporter::ServerOptions options;
  options.origin = {"1.2.3", "node1"};
  if (count > 1) options.address = words[1];
  if (count > 2) options.web_config = words[2];
  if (count > 3 && std::string(words[3]) == "dcgm") options.names = exporter::Names::dcgm;
  const char* printed = std::getenv("INTERVAL_MS");
  const milliseconds interval(printed == nullptr ? 1000 : std::atoi(printed));
  options.interval = interval;
  auto server = exporter::MetricsServer::start(options);
  if (!server) {
    std::cerr << base::to_string(server.error()) << '\n';
    return 1;
  }
  for (const auto& warning : (*server)->warnings()) std::cerr << warning << '\n';
  std::cout << (*server)->address() << std::endl;
  Demo demo(**server);
  run(demo, interval);
}
