// A libcuda for tests: only its version, or an error where FAKE_CUDA_STATUS says so.
extern "C" int cuDriverGetVersion(int* version) {
  *version = 13020;
  return FAKE_CUDA_STATUS;
}
