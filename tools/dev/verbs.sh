# What each verb of ./dev does.
# shellcheck shell=bash disable=SC2034

PROGRAM=build/release/bin/batchscope

# build [--times] [cmake arguments]
verb_build() {
  local times=
  if [ "${1:-}" = --times ]; then
    times=1
    shift
  fi
  set_up_and_build program "$@"
  [ -z "$times" ] || python3 tools/dev/build_times.py build/release
  say "the program is $PROGRAM"
}

# The program with the engine torch alone, most of it compiled while torch is fetched.
build_for_quickstart() {
  need_packages "${PACKAGES_BUILD[@]}" "${PACKAGES_TEST[@]}" "${PACKAGES_PYTHON[@]}" "${PACKAGES_WEB[@]}"
  need_nvtx
  mkdir -p build/logs
  need_torch >build/logs/torch.log 2>&1 &
  local torch=$!
  need_web
  [ -e .venv/installed-torch ] || build_preset release batchscope_verbs -DBATCHSCOPE_TORCH=OFF
  if ! wait "$torch"; then
    cat build/logs/torch.log >&2
    exit 1
  fi
  build_preset release "batchscope_cli batchscope_plugin_torch" -DBATCHSCOPE_TORCH=ON
}

verb_quickstart() {
  local start=$SECONDS job
  build_for_quickstart
  say "set-up and build took $((SECONDS - start)) s; now the main job: batch sizes 1, 2, 4, 8, and then why"
  job=$SECONDS
  mkdir -p results
  $PROGRAM profile -m distilbert -b 1,2,4,8 --seq-lens 64 --blocks 12 --diagnose --diagnose-budget 95s \
    -o results/batch_profile.jsonl --overwrite ||
    fail "profiling failed (exit code $?)" "read the message above; $PROGRAM doctor says what works on this machine"
  say "profile took $((SECONDS - job)) s"
  $PROGRAM analyze results/batch_profile.jsonl --charts=results/charts | tee results/analysis.txt ||
    fail "analyzing failed" "read the message above; the measurements are in results/batch_profile.jsonl"
  local report
  for report in html md; do
    $PROGRAM report results/batch_profile.jsonl -o results/report.$report --overwrite ||
      fail "the report failed" "read the message above; the measurements are in results/batch_profile.jsonl"
  done
  cat <<TEXT

Where everything is:
  results/batch_profile.jsonl   every measured time, one line a visit
  results/analysis.txt          the table and findings above
  results/report.html           all of it on one page, for a browser
  results/report.md             the same to read and to send on, charts in results/report_charts/
  results/charts/               the charts, PNG and SVG
  $PROGRAM      the program; --help shows what else it does
TEXT
}

verb_test() {
  local status=0
  need_browser
  need_packages "${PACKAGES_SHELLS[@]}" "${PACKAGES_MONITOR[@]}"
  [ -z "${CI:-}" ] || need_packages "${PACKAGES_CLUSTER[@]}"
  set_up_and_build all
  need_requirements tests
  need_requirements frameworks
  need_timm
  run_ctest release || status=1
  # Each process takes its tests in their order, so that what a file shares, such as a browser, is set up once or twice.
  if [ $# -gt 0 ]; then
    run_pytest "$VENV_PYTHON" -n "$JOBS" --dist worksteal -m "not gpu and not wheel" "$@" || status=1
  else
    run_pytest "$VENV_PYTHON" -n "$JOBS" --dist worksteal -m "not gpu and not alone and not wheel" || status=1
    run_pytest "$VENV_PYTHON" -m "alone and not gpu" || status=1
  fi
  closing_line
  return $status
}

# bench [PART [ARGUMENTS...]]   one part of benchmarks/README.md; without: three of them, and the truth on this machine
verb_bench() {
  need_packages "${PACKAGES_BUILD[@]}" "${PACKAGES_TEST[@]}" "${PACKAGES_BENCH[@]}"
  need_torch
  need_nvtx
  need_requirements python
  if [ $# -gt 0 ]; then
    bench_part "$@"
    return
  fi
  local part
  for part in program traces monitor training; do bench_part "$part"; done
  BATCHSCOPE_QUIET_MACHINE=1 BATCHSCOPE_BIN=$PWD/build/bench/bin/batchscope \
    run_pytest "$VENV_PYTHON" -rs tests/e2e/measuring/test_truth_on_this_machine.py
}

# bench_part PART [ARGUMENTS...]   builds what it needs, measures, and puts the page into docs/reference
bench_part() {
  local page targets
  case $1 in
    program) page=benchmarks targets=all ;;
    traces) page=trace-speed targets="bench_trace_walk batchscope" ;;
    monitor) page=monitor-cost targets="bench_monitoring program fake_nvml" ;;
    batching) page=batching targets="bench_batching bench_batcher_policies batchscope_plugin_torch" ;;
    training) page=training-cost targets=batchscope_core ;;
    *) fail "there is no benchmark '$1'" "program, traces, monitor, training or batching: benchmarks/README.md" ;;
  esac
  if [ "$1" = program ]; then
    need_browser
    need_requirements tests
  fi
  build_preset bench "$targets"
  PYTHON=$VENV_PYTHON benchmarks/run "$1" build/bench "${@:2}" | tee "build/bench/$page.md"
  mv "build/bench/$page.md" "docs/reference/$page.md"
  say "the figures are in docs/reference/$page.md"
}

# Needs a quiet machine and a quarter of an hour; traces: a minute.
# peers [python | traces FOLDER...]
verb_peers() {
  set_up_and_build program
  local part=models
  case ${1:-} in
    python)
      shift
      need_requirements peers
      PYTHONPATH=$PWD/build/release/python "$VENV_PYTHON" benchmarks/peers_python.py "$PROGRAM" -o docs/reference/peers-python.md "$@"
      return
      ;;
    traces)
      shift
      part=traces
      need_requirements peers-traces
      "$VENV_PYTHON" benchmarks/peers_traces.py "$PROGRAM" "$@" >build/release/peers_$part.md
      ;;
    *)
      verb_models
      "$VENV_PYTHON" benchmarks/peers.py "$PROGRAM" "$@" >build/release/peers_$part.md
      ;;
  esac
  "$VENV_PYTHON" tests/truth/made/put_part.py docs/reference/peers.md "$part" <build/release/peers_$part.md
  say "the table is in docs/reference/peers.md"
}

# traces FOLDER...   what is reported about each trace in them
verb_traces() {
  [ $# -gt 0 ] || fail "traces needs folders of traces" "./dev traces FOLDER"
  set_up_and_build program
  python3 benchmarks/traces_read.py "$PROGRAM" -o docs/reference/traces.md "$@"
  say "the page is docs/reference/traces.md"
}

verb_docs() {
  set_up_and_build batchscope_docs
  say "the pages are in build/release/docs"
}

verb_figures() {
  set_up_and_build program
  python3 tools/guide/figures.py "$PROGRAM"
}

# screens FOLDER [RUN...]   RUN: a run file or a folder of them
verb_screens() {
  [ $# -gt 0 ] || fail "screens needs a folder to write to" "./dev screens build/screens"
  set_up_and_build program
  need_browser
  need_requirements tests
  "$VENV_PYTHON" tools/guide/screens.py "$PROGRAM" "$@"
}

# guide [--small]
verb_guide() {
  set_up_and_build program
  if [ "${1:-}" = --small ]; then
    mkdir -p build/logs
    set -- --small -o build/logs/embedding.md
  fi
  "$VENV_PYTHON" tools/guide/embedding.py "$PROGRAM" "$@"
}

# hostile [TRIES [arguments]]: hostile files, flags, names, surroundings and signals; docs/reference/hostile.md is written
# by a whole run of 10,000.
verb_hostile() {
  set_up_and_build program
  need_venv
  local tries=${1:-10000}
  [ $# -eq 0 ] || shift
  [ "$tries" != 10000 ] || [ $# -gt 0 ] || set -- -o docs/reference/hostile.md
  "$VENV_PYTHON" -m tests.hostile --program "${BATCHSCOPE_BIN:-$PROGRAM}" --tries "$tries" --jobs "$JOBS" "$@"
}

# hostile-models [COUNT [arguments]]: models in Python that misbehave, three seconds each and a processor.
verb_hostile_models() {
  set_up_and_build all
  need_torch
  local count=${1:-200}
  [ $# -eq 0 ] || shift
  [ "$count" != 200 ] || [ $# -gt 0 ] || set -- -o docs/reference/hostile.md
  PYTHONPATH=$PWD/build/release/python "$VENV_PYTHON" -m tests.hostile.programs "$count" --program "${BATCHSCOPE_BIN:-$PROGRAM}" --jobs "$JOBS" "$@"
}

# truth [PART...]: how often what is claimed is true, in virtual time (rates) and on this machine. Takes an hour as a
# whole; each part is put into the page as soon as it is made.
verb_truth() {
  set_up_and_build all
  local part made parts=("$@")
  [ $# -gt 0 ] || parts=(rates causes devices texts tune crowded monitor)
  for part in "${parts[@]}"; do
    [ "$(type -t "truth_$part")" = function ] || fail "no part '$part'" "one of: rates causes devices texts tune crowded monitor guard training"
  done
  for part in "${parts[@]}"; do
    made=build/release/truth_$part.md
    "truth_$part" >"$made"
    "$VENV_PYTHON" tests/truth/made/put_part.py docs/reference/truth.md "$part" <"$made"
    say "truth $part is in docs/reference/truth.md"
  done
}

truth_rates() {
  BATCHSCOPE_PROFILES=${BATCHSCOPE_PROFILES:-../shared/profiles} build/release/bin/truth_table || say "a row does not pass" >&2
}
truth_monitor() { build/release/bin/monitor_table || say "a row does not pass" >&2; }
truth_causes() { "$VENV_PYTHON" tests/truth/made/causes_made.py "$PROGRAM"; }
truth_texts() { "$VENV_PYTHON" tests/truth/made/texts_made.py "$PROGRAM"; }
truth_crowded() { "$VENV_PYTHON" tests/truth/made/crowded_made.py "$PROGRAM" 20 20 10 build/crowded; }
truth_devices() { "$VENV_PYTHON" tests/truth/made/device_causes_made.py "$PROGRAM"; }
truth_guard() { PYTHONPATH=$PWD/build/release/python "$VENV_PYTHON" tests/truth/made/guard_made.py || say "a row does not pass" >&2; }
truth_tune() { "$VENV_PYTHON" tests/truth/made/tune_made.py "$PROGRAM" distilbert; }
truth_training() { PYTHONPATH=$PWD/build/release/python "$VENV_PYTHON" tests/truth/made/loaders_made.py "$PROGRAM"; }

# lint [--fix] [CHECK...]
verb_lint() {
  need_packages "${PACKAGES_BUILD[@]}" "${PACKAGES_TEST[@]}" "${PACKAGES_LINT[@]}"
  LINT_FIX=
  if [ "${1:-}" = --fix ]; then
    LINT_FIX=1
    shift
  fi
  local check start failed=() checks=("$@")
  [ $# -gt 0 ] || checks=("${LINT_CHECKS[@]}")
  for check in "${checks[@]}"; do
    [ "$(type -t "check_$check")" = function ] || fail "no check '$check'" "one of: ${LINT_CHECKS[*]}"
    start=$SECONDS
    if "check_$check"; then
      say "lint $check: ok ($((SECONDS - start)) s)"
    else
      say "lint $check: FAILED ($((SECONDS - start)) s)"
      failed+=("$check")
    fi
  done
  [ ${#failed[@]} -eq 0 ] || fail "checks failed: ${failed[*]}" "mend what is named above; ./dev lint --fix format mends the format"
}

verb_gpu_test() {
  if ! command -v nvidia-smi >/dev/null || ! nvidia-smi -L 2>/dev/null | grep -q '^GPU'; then
    echo "SKIPPED: no NVIDIA GPU (nvidia-smi lists none)"
    SKIPPED=1
    closing_line
    return 0
  fi
  nvidia-smi -L
  local python status=0
  # A GPU machine often has its own torch, and no network to fetch another.
  python=$(command -v python3 || true)
  if [ -z "${TORCH_DIR:-}" ] && [ -n "$python" ]; then
    TORCH_DIR=$("$python" -c 'import torch; assert torch.cuda.is_available(); print(torch.__path__[0])' 2>/dev/null) || TORCH_DIR=
  fi
  need_packages "${PACKAGES_BUILD[@]}" "${PACKAGES_TEST[@]}"
  need_torch
  need_nvtx
  build_preset gpu all
  run_ctest gpu || status=1
  if [ -z "$python" ] || ! "$python" -c 'import pytest, jsonschema' 2>/dev/null; then
    need_requirements tests
    python=$VENV_PYTHON
  fi
  BATCHSCOPE_BIN=$PWD/build/gpu/bin/batchscope run_pytest "$python" -m gpu "$@" || status=1
  closing_line
  return $status
}

# What pip install . makes, kept: from the sources as they stand here.
verb_wheel() {
  need_packages "${PACKAGES_BUILD[@]}" "${PACKAGES_PYTHON[@]}"
  need_web
  need_requirements wheel
  rm -rf build/dist
  logged "source distribution" "read the message above" \
    "$VENV_PYTHON" -m build --sdist --outdir build/dist .
  # The compiler by the name that ./dev build calls it by: ccache goes by that, too.
  CXX=${CXX:-c++} CC=${CC:-cc} logged "wheel" "read the first compiler error above" \
    "$VENV_PYTHON" -m pip wheel --quiet --no-deps --wheel-dir build/dist .
  ls -l build/dist
  need_requirements tests
  set_up_and_build program
  run_pytest "$VENV_PYTHON" -m wheel tests/python
}

# notebook [--short]   executes docs/guide/notebooks/slow_encoder.py; the page is build/logs/slow_encoder.html
verb_notebook() {
  set_up_and_build program
  need_requirements notebook
  PYTHONPATH=$PWD/build/release/python BATCHSCOPE_PROGRAM=$PWD/$PROGRAM PATH=$PWD/.venv/bin:$PATH \
    "$VENV_PYTHON" tools/guide/notebook.py docs/guide/notebooks/slow_encoder.py build/logs/slow_encoder.html "$@"
}
