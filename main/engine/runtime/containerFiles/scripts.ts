/**
 * The scripts that work on files in a container, for any POSIX `sh` beside `stat`, `dd`, `cat`, `mv` and the like.
 * Paths are arguments and never a part of a script. They are absolute, so none is taken for an option.
 */

/** The exit codes of the scripts. Any other one is a failure that a message on standard error explains. */
export const CODES = {
  missing: 30,
  noFolder: 31,
  noParent: 40,
  exists: 32,
  isFolder: 33,
  noFile: 34,
  forbidden: 35,
  notEmpty: 36,
  holdsMount: 37,
  incomplete: 38,
  noStat: 39,
} as const;

/** How many names `stat` gets at once: each start of a program takes as long as many names. */
const AT_ONCE = 256;
/** The first `AT_ONCE` arguments of the script; one that is not set is left out. */
const SOME = Array.from({ length: AT_ONCE }, (_, index) => `\${${index + 1}+"\${${index + 1}}"}`).join(' ');

/** Mode in hexadecimal, bytes, and seconds since 1970. */
const FACTS = '%f %s %Y';

const THERE = `[ -e "$1" ] || [ -L "$1" ] || exit ${CODES.missing}`;
const HAS_STAT = `command -v stat >/dev/null 2>&1 || exit ${CODES.noStat}`;
/** Prints the facts of the file or link `$1`. */
const PRINT = `exec stat -c '${FACTS}' -- "$1"`;
/** The folder of `$1` exists. */
const FOLDER_THERE = `[ -d "\${1%/*}/" ] || exit ${CODES.noParent}`;

/**
 * Lists the folder `$1`: at least the first `$2` entries. Each is a record that begins with `L`, and with `T` again for
 * its target; a record ends with `/` and a line break, which no name contains. `M/` at the end: there are more entries.
 */
export const LIST = `${HAS_STAT}
${THERE}
[ -d "$1" ] || exit ${CODES.noFolder}
cd -- "$1" 2>/dev/null && [ -r . ] || exit ${CODES.forbidden}
left=$2
set -- ./* ./.[!.]* ./..?*
while [ $# -gt 0 ] && [ "$left" -gt 0 ]; do
  stat -c 'L ${FACTS} %n/' -- ${SOME} 2>/dev/null
  stat -L -c 'T ${FACTS} %n/' -- ${SOME} 2>/dev/null
  n=${AT_ONCE}; [ $# -lt $n ] && n=$#
  shift $n; left=$((left - n))
done
for one; do
  if [ -e "$one" ] || [ -L "$one" ]; then echo M/; break; fi
done
exit 0`;

/** Prints the facts of the file `$1`, or of the one that the link leads to. */
export const OPEN = `${HAS_STAT}
${THERE}
[ -d "$1" ] && exit ${CODES.isFolder}
[ -f "$1" ] || exit ${CODES.noFile}
[ -r "$1" ] || exit ${CODES.forbidden}
exec stat -L -c '${FACTS}' -- "$1"`;

/** The bytes of one block of `READ`. */
export const BLOCK_BYTES = 64 * 1024;

/** Prints `$3` blocks of the file `$1` from block `$2` on. */
export const READ = `exec dd if="$1" bs=${BLOCK_BYTES} skip="$2" count="$3" 2>/dev/null`;

/** Writes standard input to `$2`, a part beside `$1`. `$3`: whether `$1` may be replaced, `yes` or `no`. */
export const RECEIVE = `${HAS_STAT}
${FOLDER_THERE}
if [ -e "$1" ] || [ -L "$1" ]; then
  [ "$3" = yes ] || exit ${CODES.exists}
  [ -d "$1" ] && exit ${CODES.isFolder}
  [ -L "$1" ] || [ -f "$1" ] || exit ${CODES.noFile}
fi
exec cat > "$2"`;

/**
 * Replaces the file `$1` by the part `$2` of `$4` bytes. The file keeps its owner and permissions. If `$1` is a link,
 * its target is replaced. A file that cannot be replaced, such as a mount, is overwritten instead: a copy of its old
 * content is kept beside the part, and is written back if the new content has no room.
 */
export const COMMIT = `target=$1 part=$2
fail() { rm -f -- "$part"; exit "$1"; }
overwrite() {
  cat -- "$target" > "$part-before" || { rm -f -- "$part-before"; return 1; }
  if cat -- "$part" > "$target"; then rm -f -- "$part-before"; return 0; fi
  cat -- "$part-before" > "$target" && rm -f -- "$part-before"
  return 1
}
[ "$(($(wc -c < "$part")))" = "$4" ] || fail ${CODES.incomplete}
if [ "$3" = no ]; then
  ln -- "$part" "$target" 2>/dev/null || {
    if [ -e "$target" ] || [ -L "$target" ]; then fail ${CODES.exists}; fi
    mv -- "$part" "$target" || fail 1
  }
else
  [ -d "$target" ] && fail ${CODES.isFolder}
  if [ -L "$target" ]; then
    target=$(readlink -f -- "$target" && echo x) || fail 1
    target=\${target%?x}
    beside=\${target%/*}/\${part##*/}
    if [ "$beside" != "$part" ]; then
      cat -- "$part" > "$beside" || { rm -f -- "$beside"; fail 1; }
      rm -f -- "$part"
      part=$beside
    fi
  fi
  if [ -f "$target" ]; then
    chown "$(stat -c %u:%g -- "$target")" "$part" 2>/dev/null
    chmod "$(stat -c %a -- "$target")" "$part" 2>/dev/null
  fi
  mv -f -- "$part" "$target" 2>/dev/null || overwrite || fail 1
fi
rm -f -- "$part"
exec stat -L -c '${FACTS}' -- "$1"`;

/** Deletes the files that are its arguments. */
export const DISCARD = 'exec rm -f -- "$@"';

export const MAKE_FOLDER = `${HAS_STAT}
if [ -e "$1" ] || [ -L "$1" ]; then exit ${CODES.exists}; fi
${FOLDER_THERE}
mkdir -- "$1" || exit 1
${PRINT}`;

/** Moves `$2` to `$1`, where nothing is. */
export const MOVE = `${HAS_STAT}
[ -e "$2" ] || [ -L "$2" ] || exit ${CODES.missing}
if [ -e "$1" ] || [ -L "$1" ]; then exit ${CODES.exists}; fi
${FOLDER_THERE}
mv -- "$2" "$1" || exit 1
${PRINT}`;

/**
 * Deletes `$1`, a folder with its content unless `$2` is `yes`: then only an empty one. A folder with a mount in it
 * stays, because the content of the mount, such as a volume, would be deleted too.
 */
export const REMOVE = `${THERE}
if [ -L "$1" ] || ! [ -d "$1" ]; then rm -f -- "$1" || exit 1; exit 0; fi
here=$(cd -P -- "$1" && pwd -P && echo x) || exit ${CODES.forbidden}
here=\${here%?x}
while read -r _ _ _ _ at _; do
  case $at in *\\\\*) at=$(printf '%b' "$at") ;; esac
  case $at/ in "$here"/*) exit ${CODES.holdsMount} ;; esac
done < /proc/self/mountinfo
if [ "$2" = yes ]; then
  rmdir -- "$1" 2>/dev/null || exit ${CODES.notEmpty}
else
  rm -rf -- "$1" || exit 1
fi`;
