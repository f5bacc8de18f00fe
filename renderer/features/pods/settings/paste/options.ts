/** The options of `docker run`, from the words before the image. */

export interface CommandOption {
  /** The long name, as in "--publish". */
  name: string;
  /** Empty for an option without a value. */
  value: string;
  /** As it was written, for a person. */
  text: string;
}

/** The options that have no value. All others have one. */
const FLAGS: ReadonlySet<string> = new Set([
  '--detach',
  '--disable-content-trust',
  '--help',
  '--init',
  '--interactive',
  '--no-healthcheck',
  '--oom-kill-disable',
  '--privileged',
  '--publish-all',
  '--quiet',
  '--read-only',
  '--replace',
  '--rm',
  '--sig-proxy',
  '--tty',
]);

const LONG_NAMES: Readonly<Record<string, string>> = {
  a: '--attach',
  c: '--cpu-shares',
  d: '--detach',
  e: '--env',
  h: '--hostname',
  i: '--interactive',
  l: '--label',
  m: '--memory',
  p: '--publish',
  P: '--publish-all',
  q: '--quiet',
  t: '--tty',
  u: '--user',
  v: '--volume',
  w: '--workdir',
};

/** The options of one word, such as `-itp 80:80`. `next` is the word after it; `usesNext` says whether it is a value. */
function optionsOf(word: string, next: string | undefined): { options: CommandOption[]; usesNext: boolean } {
  if (word.startsWith('--')) {
    const [name = ''] = word.split('=', 1);
    const hasOwn = word.includes('=');
    const usesNext = !hasOwn && !FLAGS.has(name) && next !== undefined;
    const value = hasOwn ? word.slice(name.length + 1) : usesNext ? next : '';
    return { options: [{ name, value, text: usesNext ? `${word} ${next}` : word }], usesNext };
  }
  const options: CommandOption[] = [];
  for (let at = 1; at < word.length; at += 1) {
    const letter = word.charAt(at);
    const name = LONG_NAMES[letter] ?? `-${letter}`;
    if (FLAGS.has(name)) options.push({ name, value: '', text: `-${letter}` });
    else {
      const own = word.slice(at + 1).replace(/^=/, '');
      const usesNext = own === '' && next !== undefined;
      const value = usesNext ? next : own;
      return { options: [...options, { name, value, text: `-${letter} ${value}`.trim() }], usesNext };
    }
  }
  return { options, usesNext: false };
}

/** The options, and the words from the image on. */
export function splitOptions(words: readonly string[]): { options: CommandOption[]; rest: string[] } {
  const options: CommandOption[] = [];
  let at = 0;
  for (; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (word === '--') return { options, rest: words.slice(at + 1) };
    if (!/^-./.test(word)) break;
    const read = optionsOf(word, words[at + 1]);
    options.push(...read.options);
    if (read.usesNext) at += 1;
  }
  return { options, rest: words.slice(at) };
}
