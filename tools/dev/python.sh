# The project's own Python in .venv: torch (for its LibTorch), OpenVINO, headers of NVTX, and what the tests need. A stamp file for each holds
# what was asked for, so that nothing is asked twice.
# shellcheck shell=bash

VENV_PYTHON=.venv/bin/python

need_venv() {
  if [ -x $VENV_PYTHON ] && $VENV_PYTHON -m pip --version >/dev/null 2>&1; then return; fi
  need_packages "${PACKAGES_PYTHON[@]}"
  local python=/usr/bin/python3
  [ -x $python ] || python=$(command -v python3) || fail "python3 is missing" "install python3 (3.10 or newer) with venv"
  logged "python environment" "install python3-venv, remove .venv and try again" "$python" -m venv --clear .venv
}

# need_requirements NAME   installs requirements/NAME.txt unless exactly that was installed before
need_requirements() {
  local name=$1 file=requirements/$1.txt stamp=.venv/installed-$1 wanted
  wanted="$(cat "$file") index=${PIP_INDEX_URL:-} extra=${PIP_EXTRA_INDEX_URL:-}"
  need_venv
  [ "$(cat "$stamp" 2>/dev/null)" != "$wanted" ] || return 0
  # The same version from another index is another build, which pip alone would not notice.
  local options=(--quiet --no-input --disable-pip-version-check --no-compile)
  [ ! -e "$stamp" ] || options+=(--force-reinstall)
  logged "python packages ($name)" \
    "check the network, PIP_INDEX_URL and PIP_EXTRA_INDEX_URL; or set TORCH_DIR= to a LibTorch you have" \
    $VENV_PYTHON -m pip install "${options[@]}" -r "$file"
  printf '%s\n' "$wanted" >"$stamp"
}

need_torch() {
  if [ -z "${TORCH_DIR:-}" ]; then
    need_requirements torch
  elif [ ! -e "$TORCH_DIR/lib/libtorch.so" ]; then
    fail "TORCH_DIR=$TORCH_DIR holds no lib/libtorch.so" "point it at a LibTorch folder, or unset it to have torch installed"
  fi
}

# The second engine is left out where its wheel cannot be had: everything else works without it.
need_openvino() {
  (need_requirements openvino) ||
    say "no OpenVINO here: building without the engine openvino (-DBATCHSCOPE_OPENVINO=OFF says so without trying)"
}

# Headers alone; without them nsys and ncu are shown no ranges, and everything else works.
need_nvtx() {
  (need_requirements nvtx) ||
    say "no headers of NVTX here: nsys and ncu will show no ranges of this build"
}

# A library of models whose adapter is tested. Alone: it asks for torchvision, whose wheel is linked with CUDA and does not
# load beside a torch for the CPU; the tests put a stand-in in its place.
need_timm() {
  need_venv
  [ ! -e .venv/installed-timm-1.0.31 ] || return 0
  logged "python package timm" "check the network and PIP_INDEX_URL" \
    $VENV_PYTHON -m pip install --quiet --no-input --disable-pip-version-check --no-deps timm==1.0.31
  touch .venv/installed-timm-1.0.31
}
