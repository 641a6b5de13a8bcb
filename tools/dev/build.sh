# Configuring and building a preset.
# shellcheck shell=bash

# build_preset NAME [cmake arguments]
build_preset() {
  local preset=$1 start=$SECONDS
  shift
  logged "configure $preset" "read the message above; ./dev help lists what the environment can change" \
    cmake --preset "$preset" -DTORCH_DIR="${TORCH_DIR:-}" "$@"
  say "build $preset ..."
  cmake --build --preset "$preset" -j "$JOBS" >&2 ||
    fail "the build of preset '$preset' failed" "read the first compiler error above"
  say "build $preset done in $((SECONDS - start)) s"
}

# Set-up and build of what users run. Arguments go to cmake.
build_release() {
  need_packages "${PACKAGES_BUILD[@]}" "${PACKAGES_TEST[@]}" "${PACKAGES_PYTHON[@]}"
  case " $* " in
    *" -DBATCHSCOPE_TORCH=OFF "*) ;;
    *) need_torch ;;
  esac
  build_preset release "$@"
}
