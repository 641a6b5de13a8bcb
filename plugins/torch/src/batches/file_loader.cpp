#include "file_loader.hpp"

#include <ATen/ops/empty.h>

#include "libtorch/errors.hpp"

namespace batchscope::torch_plugin {
namespace {

at::ScalarType type_of(const loading::SampleDecoder::Field& field) {
  if (field.dtype == engine::DType::boolean) return at::kBool;
  return field.dtype == engine::DType::float32 ? at::kFloat : at::kLong;
}

// Not filled.
std::vector<at::Tensor> room_for(const loading::SampleDecoder& decoder, int64_t batch_size,
                                 bool pinned) {
  std::vector<at::Tensor> tensors;
  for (const auto& field : decoder.fields()) {
    std::vector<int64_t> sizes{batch_size};
    sizes.insert(sizes.end(), field.row.begin(), field.row.end());
    tensors.push_back(
        at::empty(sizes, at::TensorOptions().dtype(type_of(field)).pinned_memory(pinned)));
  }
  return tensors;
}

std::vector<loading::SampleRow> rows_at(const loading::SampleDecoder& decoder,
                                        const std::vector<at::Tensor>& tensors, int64_t sample) {
  std::vector<loading::SampleRow> rows(tensors.size());
  for (size_t i = 0; i < tensors.size(); ++i) {
    const auto& field = decoder.fields()[i];
    const int64_t offset = sample * field.elements;
    if (field.dtype == engine::DType::boolean) rows[i].flags = tensors[i].data_ptr<bool>() + offset;
    if (field.dtype == engine::DType::int64)
      rows[i].integers = tensors[i].data_ptr<int64_t>() + offset;
    if (field.dtype == engine::DType::float32)
      rows[i].floats = tensors[i].data_ptr<float>() + offset;
  }
  return rows;
}

}  // namespace

FileLoader::FileLoader(std::shared_ptr<const loading::SampleFiles> files,
                       loading::SampleDecoder decoder, bool with_target, const LoadingPlan& plan)
    : files_(std::move(files)),
      decoder_(std::move(decoder)),
      with_target_(with_target),
      plan_(plan),
      order_(files_->paths().size(), plan.seed),
      prefetcher_([this](int64_t number) { return load(number); }, plan.loader.workers,
                  plan.loader.prefetch) {}

base::Result<std::unique_ptr<BatchSource>> FileLoader::make(
    std::shared_ptr<const loading::SampleFiles> files, const LoadedProgram& loaded,
    std::optional<int64_t> seq_len, const LoadingPlan& plan) {
  auto decoder =
      loading::SampleDecoder::make(loaded.inputs, loaded.target, seq_len, loaded.bool_masks);
  if (!decoder) return std::move(decoder).error();
  return std::unique_ptr<BatchSource>(
      new FileLoader(std::move(files), *std::move(decoder), loaded.target.has_value(), plan));
}

base::Result<HostBatch> FileLoader::load(int64_t number) {
  return guarded(base::ErrorKind::failed, "--loader", "", [&]() -> base::Result<HostBatch> {
    std::vector<at::Tensor> tensors = room_for(decoder_, plan_.batch_size, plan_.pinned);
    int64_t sample = 0;
    for (const size_t file : order_.batch(number, plan_.batch_size)) {
      const auto content = files_->read(file);
      if (!content) return content.error();
      auto decoded = decoder_.decode(files_->paths()[file], *content, files_->label(file),
                                     rows_at(decoder_, tensors, sample++));
      if (!decoded) return std::move(decoded).error();
    }
    HostBatch batch;
    if (with_target_) {
      batch.target = std::move(tensors.back());
      tensors.pop_back();
    }
    batch.inputs = std::move(tensors);
    return batch;
  });
}

}  // namespace batchscope::torch_plugin
