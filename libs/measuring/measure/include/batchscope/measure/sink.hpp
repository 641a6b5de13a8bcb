#pragma once

#include <memory>
#include <span>

#include "batchscope/base/file.hpp"
#include "batchscope/base/result.hpp"
#include "batchscope/schema/run_file.hpp"

namespace batchscope::measure {

// Where a run is kept, record by record; each is durable when the call returns. Errors: failed, and
// the record is then not in it at all.
class RunSink {
 public:
  virtual ~RunSink() = default;
  // The header with the configurations it starts with: all or nothing, so that a run that is killed
  // now never resumes with some of them.
  virtual base::Result<void> begin(const schema::Header& header,
                                   std::span<const schema::RunConfig> configs) = 0;
  // One that was added later.
  virtual base::Result<void> config(int index, const schema::RunConfig& config) = 0;
  virtual base::Result<void> visit(const schema::Visit& visit) = 0;
  virtual base::Result<void> event(const schema::Event& event) = 0;
  virtual base::Result<void> outputs(const schema::OutputDifference& outputs) = 0;
  virtual base::Result<void> probe(const schema::Probe& probe) = 0;
  virtual base::Result<void> end(const schema::End& end) = 0;
};

// A run file: one JSON line a record, fsynced.
std::unique_ptr<RunSink> make_file_sink(base::AppendFile file);
std::unique_ptr<RunSink> make_file_sink(std::shared_ptr<base::AppendFile> file);

// Keeps nothing; for runs whose Session::recorded() is all that is wanted.
std::unique_ptr<RunSink> make_null_sink();

}  // namespace batchscope::measure
