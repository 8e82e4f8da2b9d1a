/* Scripts for the container's shell, of which only POSIX features can be assumed. */

/**
 * Runs a command in a folder, with variables. The engine makes each command the leader of a process group, but does not
 * end a command whose client is gone. All processes of the command inherit its mark, by which they are found. Arguments:
 *
 *     DIRECTORY MARK RUN GROUP_FILE COMMAND NAME=VALUE…
 */
export const containerRunScript = `
cd "$1" || exit 126
export FOLIO_COMMAND="$2"
[ -z "$3" ] || export FOLIO_RUN="$3"
[ -z "$4" ] || echo $$ > "$4"
line=$5
shift 5
for each; do export "$each"; done
exec "$(command -v bash || echo sh)" -c "$line"
`;

/**
 * Ends everything with one of these marks in its environment. Prints `found` if there was anything. BusyBox's grep
 * stops at the first NUL of a line.
 */
export const containerKillScript = `
marked() {
  for each in /proc/[0-9]*; do
    { tr '\\0' '\\n' < "$each/environ" | grep -qxF "$1"; } 2> /dev/null && echo "\${each#/proc/}"
  done
}
send() {
  for each in $(marked "$2"); do kill "-$1" "$each" 2> /dev/null && found=found; done
}
found=
for mark; do send TERM "$mark"; done
echo "$found"
[ -n "$found" ] || exit 0
for wait in 1 2 3 4 5; do
  left=
  for mark; do [ -z "$(marked "$mark")" ] || left=1; done
  [ -n "$left" ] || exit 0
  sleep 0.1 2> /dev/null || sleep 1
done
for mark; do send KILL "$mark"; done
`;
