/**
 * The script of a session's bash. Its argument is the folder of the pipes. It reads commands from its input: a number,
 * a mark and the command, each followed by a zero byte. Each command has two pipes of its own, which another process
 * creates and reads, so that a background process cannot write into another command's output. After a command's output
 * the script writes the mark, even if the output does not end with a newline and whatever the command contains.
 *
 * A `break` in a command leaves the inner loop, and a `continue` goes to its next round. The mark is written in both
 * cases.
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
 * The script that creates the two pipes of a command, reports this with one character, and passes on their output. Its
 * argument is the path of the pipes without the extension.
 */
export const readerScript = `
umask 077
mkfifo "$1.out" "$1.err" || exit 1
printf R
cat "$1.err" >&2 &
cat "$1.out"
wait
rm -f "$1.out" "$1.err"`;
