# Configuring and building a preset.
# shellcheck shell=bash

# build_preset NAME TARGETS [cmake arguments]   TARGETS: "all", "program" (what a user needs), or names in one word
build_preset() {
  # shellcheck disable=SC2206 # split into the targets
  local preset=$1 target=$2 targets=($2) start=$SECONDS
  shift 2
  logged "configure $preset" "read the message above; ./dev help lists what the environment can change" \
    cmake --preset "$preset" -DTORCH_DIR="${TORCH_DIR:-}" "$@"
  # On a terminal ninja keeps one line up to date; elsewhere it would print a line for every file.
  if [ ! -t 2 ]; then
    logged "build $preset $target" "read the first compiler error above" \
      cmake --build --preset "$preset" -j "$JOBS" --target "${targets[@]}"
    return
  fi
  say "build $preset ($target) ..."
  cmake --build --preset "$preset" -j "$JOBS" --target "${targets[@]}" >&2 ||
    fail "the build of preset '$preset' failed" "read the first compiler error above"
  say "build $preset ($target) done in $((SECONDS - start)) s"
}

# set_up_and_build TARGET [cmake arguments]   what users run, in build/release
set_up_and_build() {
  need_packages "${PACKAGES_BUILD[@]}" "${PACKAGES_TEST[@]}" "${PACKAGES_PYTHON[@]}"
  case " $* " in
    *" -DBATCHSCOPE_TORCH=OFF "*) ;;
    *) need_torch ;;
  esac
  case " $* " in
    *" -DBATCHSCOPE_OPENVINO=OFF "*) ;;
    *) need_openvino ;;
  esac
  need_nvtx
  case " $* " in
    *" -DBATCHSCOPE_PYTHON=OFF "*) ;;
    *) need_requirements python ;;
  esac
  case " $* " in
    *" -DBATCHSCOPE_WEB=OFF "*) ;;
    *) need_web ;;
  esac
  build_preset release "$@"
}
