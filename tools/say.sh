# Messages, long steps, and failing with one clear sentence. Sourced by ./dev.
# Everything here writes to stderr: stdout belongs to `./dev env` and to the test runners.
# shellcheck shell=bash

say() { printf 'dev: %s\n' "$*" >&2; }

die() {
  say "$*"
  trap - ERR
  exit 1
}

have() { command -v "$1" >/dev/null 2>&1; }

elapsed() { # elapsed START: seconds since $SECONDS was START, as text
  local s=$((SECONDS - $1))
  if ((s < 60)); then echo "${s} s"; else echo "$((s / 60)) min $((s % 60)) s"; fi
}

# quiet NAME TITLE REMEDY COMMAND...
# Runs a long command with its output in a log, says every 20 seconds that it is still
# at it, and stops with the log's end and REMEDY when it fails. COMMAND may be a function.
quiet() {
  local log=$LOGS/$1.log title=$2 remedy=$3 start=$SECONDS next=$((SECONDS + 20))
  shift 3
  say "$title"
  # A process group of its own, so that Ctrl-C can stop the command and all its children.
  set -m
  {
    trap - ERR # this function reports the failure
    "$@"
  } >"$log" 2>&1 </dev/null &
  STEP_PID=$!
  set +m
  while kill -0 "$STEP_PID" 2>/dev/null; do
    sleep 0.2
    if ((SECONDS >= next)); then
      say "  still at it: $title ($(elapsed "$start"))"
      next=$((SECONDS + 20))
    fi
  done
  local status=0
  wait "$STEP_PID" || status=$?
  STEP_PID=
  if ((status != 0)); then
    tail -n 15 "$log" | sed 's/^/  | /' >&2
    die "\"$title\" failed; its whole output is in $log. $remedy"
  fi
  if ((SECONDS - start >= 2)); then say "  done in $(elapsed "$start")"; fi
}

# loud TITLE COMMAND...: the same for a command whose output people want to see.
loud() {
  local title=$1 start=$SECONDS status=0 outcome='done'
  shift
  say "$title"
  "$@" || status=$?
  if ((status != 0)); then outcome=FAILED; fi
  say "  $outcome after $(elapsed "$start"): $title"
  return "$status"
}

STEP_PID=
stop_children() {
  if [[ -n $STEP_PID ]]; then kill -- "-$STEP_PID" 2>/dev/null || true; fi
}
trap stop_children EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
trap 'say "stopped unexpectedly at ${BASH_SOURCE[0]}:$LINENO ($BASH_COMMAND)"' ERR
