/** The hosts that the person's settings of OpenSSH name (`~/.ssh/config`), for a choice of them. Nothing in it is run. */
import { glob, readFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { messageOf } from '#contract/core/errors.ts';
import { readSshDestination } from '#contract/app/terminals/sshDestination.ts';
import { errorCode } from '../../platform/systemError.ts';

/** As deep as OpenSSH follows files that name others. */
const DEEPEST = 16;
/** More than this are not read: of files, and of hosts. */
const MOST_FILES = 256;
const MOST_HOSTS = 1000;

export interface SshHosts {
  /** In the order of the file, each once. */
  hosts: string[];
  /** Why they are not all, as a sentence for a person; null if they are. */
  unread: string | null;
}

/** The words of a line, without its quotes, up to a comment. */
function wordsOf(text: string): string[] {
  const words: string[] = [];
  for (const [whole, quoted] of text.matchAll(/"([^"]*)"|\S+/g)) {
    if (quoted === undefined && whole.startsWith('#')) break;
    words.push(quoted ?? whole);
  }
  return words;
}

/** A name that stands for itself, and which the program then finds in the settings. */
function isName(word: string): boolean {
  const read = readSshDestination(word);
  return read !== null && read.target === word && !word.includes('@');
}

/** What a pattern of `Include` names, in the order in which OpenSSH reads it. */
async function filesOf(pattern: string, home: string): Promise<string[]> {
  const path = pattern.replace(/^~(?=[\\/])/, home);
  const files: string[] = [];
  for await (const file of glob(isAbsolute(path) ? path : join(home, '.ssh', path))) files.push(file);
  return files.toSorted();
}

/** `home`: the folder with `.ssh`. Never rejects. */
export async function hostsOfConfig(home: string): Promise<SshHosts> {
  const hosts = new Set<string>();
  let files = 0;
  let unread: string | null = null;

  async function read(file: string, depth: number): Promise<void> {
    if (depth > DEEPEST || ++files > MOST_FILES) {
      unread ??= `${file} was not read: at most ${MOST_FILES} files are, and ${DEEPEST} that name one another.`;
      return;
    }
    let text: string;
    try {
      text = await readFile(file, 'utf8');
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') unread ??= `${file} cannot be read: ${messageOf(error)}.`;
      return;
    }
    for (const line of text.split('\n')) {
      const [, keyword = '', rest = ''] = /^\s*(\w+)(?:\s*=\s*|\s+)(.*)$/.exec(line.trimEnd()) ?? [];
      const words = ['host', 'include'].includes(keyword.toLowerCase()) ? wordsOf(rest) : [];
      if (keyword.toLowerCase() === 'host') for (const name of words.filter(isName)) hosts.add(name);
      else for (const pattern of words) for (const one of await filesOf(pattern, home)) await read(one, depth + 1);
    }
  }

  await read(join(home, '.ssh', 'config'), 0);
  if (hosts.size > MOST_HOSTS) unread ??= `Only the first ${MOST_HOSTS} of ${hosts.size} hosts are listed.`;
  return { hosts: [...hosts].slice(0, MOST_HOSTS), unread };
}
