#pragma once

#include <optional>
#include <span>

namespace batchscope::stats {

// The Universal Scalability Law (Gunther 2007): throughput of N workers (threads, instances)
//   X(N) = lambda N / (1 + sigma (N - 1) + kappa N (N - 1)).
struct ScalabilityLaw {
  double lambda = 0.0;        // throughput of one worker, in the unit of the throughputs
  double sigma = 0.0;         // contention: the share that is done one at a time
  double kappa = 0.0;         // coherency: what each pair of workers costs
  double rms_residual = 0.0;  // root mean square of (t_law - t) / t with t = N / X, the time of a
                              // unit of work a worker

  double evaluate(double workers) const;
  // The worker count beyond which throughput falls: sqrt((1 - sigma) / kappa), at least 1; nullopt
  // when it never does.
  std::optional<double> peak() const;
};

// Least squares on N / X, which is linear in 1, N - 1 and N (N - 1), relative to the measured
// values and with coefficients >= 0 (so lambda > 0, sigma and kappa >= 0). At least 3 different
// worker counts >= 1, throughputs > 0; else nullopt. With throughput that grows faster than the
// workers sigma and kappa are 0.
std::optional<ScalabilityLaw> fit_scalability(std::span<const double> workers,
                                              std::span<const double> throughput);

}  // namespace batchscope::stats
