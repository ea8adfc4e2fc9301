/**
 * The script of a session's bash, whose argument is the folder of pipes. It reads commands from its input: a number, a mark,
 * and the command, each with a zero byte behind it. Each command has two pipes of its own, which another has made and reads, so that
 * what it leaves in the background writes into no other command's output. Behind a command's output it writes the mark: on
 * whatever line that ends, and whatever the command was made of.
 *
 * A `break` in a command leaves the inner loop, and a `continue` its round; the mark is written all the same.
 */
export const sessionScript = String.raw`
__suite_folder=$1 __suite_at= __suite_mark= __suite_number= __suite_command=
shift
exec 9<&0 </dev/null
builtin printf R
__suite_end() {
  local code=$?
  [[ -n $__suite_at ]] || return 0
  __suite_at=
  builtin printf '\0%s %d\0' "$__suite_mark" "$code" >&7
  builtin printf '\0%s %d\0' "$__suite_mark" "$code" >&8
  exec 7>&- 8>&-
}
while :; do
  while __suite_end
    IFS= read -r -d '' -u 9 __suite_number && IFS= read -r -d '' -u 9 __suite_mark && IFS= read -r -d '' -u 9 __suite_command
  do
    exec 7>"$__suite_folder/$__suite_number.out" 8>"$__suite_folder/$__suite_number.err"
    __suite_at=1
    eval "$__suite_command" >&7 2>&8 </dev/null 7>&- 8>&- 9<&-
  done
  [[ -n $__suite_at ]] || exit 0
done`;

/**
 * The script that makes the two pipes of a command, says so by one character, and passes on what comes out of them. Its
 * argument is their path without what is behind the dot.
 */
export const readerScript = `
umask 077
mkfifo "$1.out" "$1.err" || exit 1
printf R
cat "$1.err" >&2 &
cat "$1.out"
wait
rm -f "$1.out" "$1.err"`;
