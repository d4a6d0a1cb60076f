#!/usr/bin/env bash
# Measures finished runs of language models, and ships the first run of each model with the results of all:
#   pretrained/publishing/measure_language_models.sh runs/transformer_xl-1 runs/no_recurrence-1 runs/transformer_xl-2 …
# On one CPU core, each run with a memory takes about 5 minutes over the memory lengths, any other as long, and 45
# through a sliding window; every run about 6 over the effective contexts, and each shipped one 2 in smaller steps. Speed
# takes 2 minutes, and wants a machine that does nothing else.
set -euo pipefail

if [ $# -eq 0 ]; then
  echo "usage: pretrained/publishing/measure_language_models.sh RUN_FOLDER…" >&2
  exit 2
fi
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
: "${TRANSFORMER_DATA_DIR:?set it to the folder that holds lm/war_and_peace.txt}"
python=${PYTHON:-python}
shipped=pretrained/language_models
mkdir -p "$shipped"

# In the order given: a model's first run ships, later ones of its name leave their results.
published=" "
folders=()
for run in "$@"; do
  if grep -q '"mem_len": 0,' "$run/history.json"; then
    lengths=(0 16 32 64 128)
    "$python" -m pretrained.publishing evaluate_language_model "$run" --window 64
  else
    lengths=(0 64 128 256 512 1024)
  fi
  "$python" -m pretrained.publishing evaluate_language_model "$run" --mem-len "${lengths[@]}"
  name=$(basename "$run" | sed 's/-[0-9]*$//')
  if [[ $published == *" $name "* || ! ${SHIP:-transformer_xl no_recurrence} =~ (^| )$name( |$) ]]; then
    "$python" -m pretrained.publishing language_model "$run" --results-only
  else
    "$python" -m pretrained.publishing language_model "$run"
    published+="$name "
    folders+=("$shipped/$name")
  fi
done

"$python" -m pretrained.publishing effective_context "$@" --results "$shipped/effective_context.parquet"
if [ ${#folders[@]} -gt 0 ]; then
  "$python" -m pretrained.publishing effective_context "${folders[@]}" \
    --step 8 --longest 128 --results "$shipped/effective_context_fine.parquet"
fi
"$python" -m benchmarks.evaluation_speed --results "$shipped/evaluation_speed.json"
