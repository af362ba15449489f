#!/bin/bash
# `git bisect run ticktape bisect` names the commit that changed what a log does: a history of six
# commits whose builds are engines in processes of their own, one of which does not build.
#
#   1 good ─ 2 good ─ 3 does not build ─ 4 taker pays ─ 5 same ─ 6 same
#
#   git_bisect_test.sh TICKTAPE KNOWN_BAD_ENGINE MAKE_BUSY_SESSION

set -eu

ticktape=$(realpath "$1")
known_bad=$(realpath "$2")
make_session=$(realpath "$3")
work=${TEST_TMPDIR:?}/bisect
mkdir -p "$work/repository"
export HOME=$work GIT_CONFIG_NOSYSTEM=1 XDG_CACHE_HOME=$work/cache

fail() {
  echo "git_bisect_test: $1" >&2
  cat "$work/output" >&2 || true
  exit 1
}

"$make_session" "$work/session.tape" 9000 5000

cd "$work/repository"
git init -q .
git config user.name test
git config user.email test@localhost
git config commit.gpgsign false

# A commit is an engine's source and what builds it; the program is not kept.
commit() {  # TITLE ENGINE BUILD
  printf '#!/bin/sh\nexec %s\n' "$2" > engine.in
  printf '#!/bin/sh\n%s\n' "$3" > build.sh
  echo "$1" > title
  chmod +x build.sh
  git add -A
  git commit -q -m "$1"
}
build='cp engine.in engine && chmod +x engine'
echo engine > .gitignore
commit one "$ticktape engine-server" "$build"
git tag good
commit two "$known_bad none" "$build"
commit three "$known_bad none" "echo no such compiler >&2; exit 1"
commit four "$known_bad taker_priced account=9" "$build"
git tag culprit
commit five "$known_bad taker_priced account=9" "$build"
commit six "$known_bad taker_priced account=9" "$build"

run() {
  git bisect start HEAD good > /dev/null 2>&1
  git bisect run "$ticktape" bisect "$work/session.tape" --engine-b ./engine --build ./build.sh \
    > "$work/output" 2>&1 || true
}

run
# The commit before cannot be built, so either of the two is as much as can be known; a third is not.
grep -q "$(git rev-parse culprit)" "$work/output" || fail "the culprit is not named"
grep -q "DIFFERENT at @" "$work/output" || fail "the steps do not show where the engines part"
grep -q "no such compiler" "$work/output" || fail "why the third does not build is not shown"
first=$(grep -m1 "DIFFERENT at @" "$work/output")
git bisect reset > /dev/null 2>&1

# What was computed is kept: a second bisection takes no pass.
run
grep -q "digests from the cache, no replay" "$work/output" || fail "nothing was remembered"
[ "$(grep -m1 "DIFFERENT at @" "$work/output")" = "$first" ] || fail "another command is named"
git bisect reset > /dev/null 2>&1

# Without the commit that does not build, it is exactly the one.
git tag -d culprit > /dev/null
git checkout -q -B straight good~0
commit two "$known_bad none" "$build"
commit four "$known_bad taker_priced account=9" "$build"
git tag culprit
commit five "$known_bad taker_priced account=9" "$build"
run
grep -q "$(git rev-parse culprit) is the first bad commit" "$work/output" || fail "not exactly the one"
git bisect reset > /dev/null 2>&1

# The command line of the help, where the build leaves the last program that could be built in its place, as bazel
# does: what does not build is skipped, and the program of another commit is not asked.
mkdir "$work/bin"
cat > "$work/bin/bazel" << 'BAZEL'
#!/bin/sh
[ "$*" = "build -c opt //tools/cli:ticktape" ] || { echo "bazel: unexpected words: $*" >&2; exit 2; }
grep -q '^exec /' engine.in || { echo "engine.in: error: expected a program" >&2; exit 1; }
mkdir -p bazel-bin/tools/cli
rm -f bazel-bin/tools/cli/ticktape
cp engine.in bazel-bin/tools/cli/ticktape
chmod 555 bazel-bin/tools/cli/ticktape
BAZEL
chmod +x "$work/bin/bazel"
PATH=$work/bin:$PATH
git checkout -q -B by_bazel good
printf 'engine\nbazel-bin\n' > .gitignore
git add -A
git commit -q -m "builds are ignored"
first_good=$(git rev-parse HEAD)
commit two "$known_bad none" ""
commit three "$known_bad none" ""
commit broken "no program" ""
broken=$(git rev-parse HEAD)
commit four "$known_bad taker_priced account=9" ""
bazel_bisect() {
  "$@" "$ticktape" bisect "$work/session.tape" --engine-b bazel-bin/tools/cli/ticktape \
    --build 'bazel build -c opt //tools/cli:ticktape' > "$work/output" 2>&1
}
code_of() {  # COMMIT
  git checkout -q "$1"
  code=0
  bazel_bisect || code=$?
  echo $code
}
[ "$(code_of "$first_good")" = 0 ] || fail "what does the same is not good"
[ "$(code_of by_bazel)" = 1 ] || fail "what parts is not bad"
[ "$(code_of "$broken")" = 125 ] || fail "what does not build is judged"
grep -q "expected a program" "$work/output" || fail "the output of the build is not shown"
grep -q "this commit cannot be built" "$work/output" || fail "the failed build is not reported"
# Halving begins with the third of five, then comes the broken one: either it or the next is the first bad one.
git bisect start by_bazel "$first_good" > /dev/null 2>&1
bazel_bisect git bisect run || true
grep -q "could be any of" "$work/output" || fail "the broken commit is not skipped"
grep -q "$broken" "$work/output" || fail "the broken commit is not named"
grep -q "$(git rev-parse by_bazel)" "$work/output" || fail "the culprit is not named"
git bisect reset > /dev/null 2>&1
git checkout -q by_bazel

# A predicate that turns back is refused, and not taken for an answer.
odd="$work/odd.sh"
printf '#!/bin/sh\nn=$(%s info "$1" --json | sed "s/.*\\"records\\":\\([0-9]*\\).*/\\1/")\n' "$ticktape" > "$odd"
printf 'test $((n %% 7)) -lt 3\n' >> "$odd"
chmod +x "$odd"
code=0
"$ticktape" bisect "$work/session.tape" --engine-b fast --pred "exec $odd" --cache '' \
  > "$work/output" 2>&1 || code=$?
[ $code = 125 ] || fail "a predicate that turns back ended with $code"
grep -q -- "--exhaustive tries every prefix" "$work/output" || fail "the remedy is not printed"
code=0
"$ticktape" bisect "$work/session.tape" --engine-b fast --pred "exec $odd" --cache '' --exhaustive \
  > "$work/output" 2>&1 || code=$?
[ $code = 1 ] || fail "--exhaustive ended with $code"
grep -q "FOUND at @3 " "$work/output" || fail "--exhaustive found another"
echo "git_bisect_test: PASSED"
