#include "batchscope/measure/sink.hpp"

namespace batchscope::measure {
namespace {

using base::Result;

class FileSink final : public RunSink {
 public:
  explicit FileSink(std::shared_ptr<base::AppendFile> file) : file_(std::move(file)) {}

  Result<void> begin(const schema::Header& header,
                     std::span<const schema::RunConfig> configs) override {
    std::string lines = schema::header_line(header);
    for (std::size_t i = 0; i < configs.size(); ++i) {
      lines += "\n" + schema::config_line(static_cast<int>(i), configs[i]);
    }
    return file_->append_line(lines);
  }
  Result<void> config(int index, const schema::RunConfig& config) override {
    return file_->append_line(schema::config_line(index, config));
  }
  Result<void> visit(const schema::Visit& visit) override {
    return file_->append_line(schema::visit_line(visit));
  }
  Result<void> event(const schema::Event& event) override {
    return file_->append_line(schema::event_line(event));
  }
  Result<void> outputs(const schema::OutputDifference& outputs) override {
    return file_->append_line(schema::outputs_line(outputs));
  }
  Result<void> probe(const schema::Probe& probe) override {
    return file_->append_line(schema::probe_line(probe));
  }
  Result<void> end(const schema::End& end) override {
    return file_->append_line(schema::end_line(end));
  }

 private:
  std::shared_ptr<base::AppendFile> file_;
};

class NullSink final : public RunSink {
 public:
  Result<void> begin(const schema::Header&, std::span<const schema::RunConfig>) override {
    return {};
  }
  Result<void> config(int, const schema::RunConfig&) override { return {}; }
  Result<void> visit(const schema::Visit&) override { return {}; }
  Result<void> event(const schema::Event&) override { return {}; }
  Result<void> outputs(const schema::OutputDifference&) override { return {}; }
  Result<void> probe(const schema::Probe&) override { return {}; }
  Result<void> end(const schema::End&) override { return {}; }
};

}  // namespace

std::unique_ptr<RunSink> make_file_sink(base::AppendFile file) {
  return make_file_sink(std::make_shared<base::AppendFile>(std::move(file)));
}

std::unique_ptr<RunSink> make_file_sink(std::shared_ptr<base::AppendFile> file) {
  return std::make_unique<FileSink>(std::move(file));
}

std::unique_ptr<RunSink> make_null_sink() {
  return std::make_unique<NullSink>();
}

}  // namespace batchscope::measure
