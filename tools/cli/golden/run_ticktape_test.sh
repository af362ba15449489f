#!/bin/bash
# run_ticktape_test.sh RUNNER TICKTAPE BAD_ENGINE JOURNAL_FILE...
set -u
runner=$1
ticktape=$2
bad_engine=$3
shift 3
files=("$@")
journal=$(dirname "${files[0]}")
failed=0
cd "$TEST_SRCDIR/$TEST_WORKSPACE" || exit 1

# expect CODE TEXT WORD...: the runner ends with CODE and says TEXT.
expect() {
  local code=$1 text=$2 output found
  shift 2
  output=$("$runner" "$@" 2>&1)
  found=$?
  if [ "$found" -ne "$code" ] || ! grep -qF -- "$text" <<<"$output"; then
    echo "FAILED: $*"
    echo "exit code $found, expected $code and '$text' in:"
    echo "$output"
    failed=1
  fi
}

# ---- golden
cp -rL "$journal" "$TEST_TMPDIR/journal"
"$ticktape" golden add "$TEST_TMPDIR/journal" --name session --into "$TEST_TMPDIR" --events --reason test >/dev/null || exit 1
fixture=$TEST_TMPDIR/session.golden
check=("$ticktape" golden check --update-hint "bazel run //x:y.update -- --reason TEXT" @source "$fixture"
       --journal @folder "${files[@]}" @end)
expect 0 "ok      session" "${check[@]}" --engine fast
expect 0 "ok      session" "${check[@]}" --engine reference
expect 1 "first            @" "${check[@]}" --engine @program "$bad_engine" taker_priced @end
expect 1 "bazel run //x:y.update -- --reason TEXT" "${check[@]}" --engine @program "$bad_engine" taker_priced @end
sed 's/^60\.1 trade /60.1 accepted /' "$fixture" >"$TEST_TMPDIR/other.golden"
expect 1 "the marks or events kept are not" "$ticktape" golden check @source "$TEST_TMPDIR/other.golden" \
  --journal @folder "${files[@]}" @end
echo rubbish >"$TEST_TMPDIR/rubbish.golden"
expect 1 "expected 'ticktape golden 1'" "$ticktape" golden check @source "$TEST_TMPDIR/rubbish.golden" \
  --journal @folder "${files[@]}" @end

# An update goes to the source tree, and only with a reason.
export BUILD_WORKSPACE_DIRECTORY=$TEST_TMPDIR/tree
mkdir -p "$BUILD_WORKSPACE_DIRECTORY"
sed 's/^events 1.*/events 1/' "$fixture" | sed '/^events$/,$d' >"$BUILD_WORKSPACE_DIRECTORY/session.golden"
update=("$ticktape" golden update @source session.golden --journal @folder "${files[@]}" @end --engine fast)
expect 2 "expectations change for a reason" "${update[@]}"
expect 0 "changed  session" "${update[@]}" --reason "it was wrong"
grep -q "updated: it was wrong" "$BUILD_WORKSPACE_DIRECTORY/session.golden" || { echo "no history"; failed=1; }
unset BUILD_WORKSPACE_DIRECTORY

# ---- differential
diff=("$ticktape" diff @folder "${files[@]}" @end --state-every 4096 --engine-a fast)
expect 0 "EQUAL" "${diff[@]}" --engine-b reference
expect 1 "DIFFERENT at @60 " "${diff[@]}" --engine-b @program "$bad_engine" taker_priced @end
expect 0 "EQUAL" "${diff[@]}" --engine-b @program "$ticktape" @end

# ---- schema
expect 0 "COMPATIBLE" "$ticktape" schema compat @folder "${files[@]}" @end
"$ticktape" schema save "$TEST_TMPDIR/journal" -o "$TEST_TMPDIR/old.schema" -q || exit 1
sed 's/price\x00/prize\x00/' "$TEST_TMPDIR/old.schema" >"$TEST_TMPDIR/renamed.schema"
expect 1 "Command.prize @" "$ticktape" schema compat "$TEST_TMPDIR/renamed.schema"
expect 0 "COMPATIBLE" "$ticktape" schema compat "$TEST_TMPDIR/renamed.schema" --allow-renames

# ---- latency, with a program that answers as retime does
cat >"$TEST_TMPDIR/stub" <<'STUB'
#!/bin/bash
echo "$2  against the baseline"
exit "$3"
STUB
chmod +x "$TEST_TMPDIR/stub"
expect 0 "SAME" "$TEST_TMPDIR/stub" retime SAME 0
expect 1 "WORSE" "$TEST_TMPDIR/stub" retime WORSE 1
expect 0 "neither a pass nor a failure" "$TEST_TMPDIR/stub" retime INCONCLUSIVE 5
expect 5 "another machine" "$TEST_TMPDIR/stub" retime "another machine" 5

# ---- what the macros themselves may get wrong
expect 2 "no segment-NNNNNN.tape is among the files" "$ticktape" diff @folder README.md @end
expect 2 "segments in two folders" "$ticktape" diff @folder a/segment-000000.tape b/segment-000000.tape @end
exit "$failed"
