/** Which Python file a Dockerfile starts: as much of its language as that takes. */
import { splitCommandLine } from '../../domain/core/shellWords.ts';

export interface DockerStart {
  /** What its image would run, in words; null where it names no command. */
  readonly command: string[] | null;
  /** Paths of the Python file in the folder, the likeliest first; empty where something else is started. */
  readonly pythonFiles: string[];
  /** What stands after the file. */
  readonly args: string[];
}

const PYTHON = /^(?:.*\/)?python[\d.]*$/;
/** Options of Python that take the next word. */
const WITH_VALUE = new Set(['-W', '-X', '-Q', '--check-hash-based-pycs']);

/** Instructions with their arguments; lines that end with `\` go on, comments are left out. */
function instructionsOf(text: string): { name: string; rest: string }[] {
  const lines = text
    .split(/\r?\n/)
    .filter((line) => !/^\s*#/.test(line))
    .join('\n')
    .replaceAll(/\\[ \t]*\n/g, ' ')
    .split('\n');
  return lines.flatMap((line) => {
    const [, name, rest] = /^\s*([A-Za-z]+)\s+(.*)$/.exec(line) ?? [];
    return name === undefined || rest === undefined ? [] : [{ name: name.toUpperCase(), rest: rest.trim() }];
  });
}

/** A list as JSON, or a line for a shell. */
function wordsOf(rest: string): string[] {
  if (rest.startsWith('[')) {
    try {
      const words: unknown = JSON.parse(rest);
      if (Array.isArray(words) && words.every((word) => typeof word === 'string')) return words;
    } catch {
      // Docker, too, takes it for a line of a shell then.
    }
  }
  try {
    return splitCommandLine(rest);
  } catch {
    // A quote that is not closed: Docker refuses it too.
    return [];
  }
}

/** The program that is started at last, without `exec`, and without a shell around it. */
function unwrapped(all: string[]): string[] {
  const words = all.slice(all.lastIndexOf('&&') + 1);
  const [program, option, line] = words;
  if (program === 'exec') return unwrapped(words.slice(1));
  if (/^(?:.*\/)?(?:ba|da)?sh$/.test(program ?? '') && option?.startsWith('-') && option.endsWith('c') && line) {
    return unwrapped(wordsOf(line));
  }
  return words;
}

/** `src/app/handler.py`, `app/handler.py`, `handler.py`: where the file of the image may lie in the folder. */
function endingsOf(file: string): string[] {
  const parts = file.split('/').filter((part) => part !== '' && part !== '.');
  return parts.includes('..') ? [] : parts.map((_part, at) => parts.slice(at).join('/'));
}

/** Folders of this machine that are copied into the image. */
function copiedFrom(instructions: readonly { name: string; rest: string }[]): string[] {
  return instructions
    .filter(({ name, rest }) => (name === 'COPY' || name === 'ADD') && !rest.includes('--from='))
    .flatMap(({ rest }) =>
      wordsOf(rest)
        .filter((word) => !word.startsWith('--'))
        .slice(0, -1),
    )
    .map((source) => source.replace(/^\.?\/+/, '').replace(/\/+$/, ''))
    .filter((source) => source !== '' && source !== '.' && !source.includes('..') && !source.includes('*'));
}

export function readDockerfile(text: string): DockerStart {
  const all = instructionsOf(text);
  // A stage begins anew; only the last one is started.
  const stage = all.slice(all.findLastIndex(({ name }) => name === 'FROM') + 1);
  const last = (instruction: string): string[] =>
    wordsOf(stage.findLast(({ name }) => name === instruction)?.rest ?? '');
  const entrypoint = last('ENTRYPOINT');
  const command = [...entrypoint, ...last('CMD')];
  const started = { command: command.length > 0 ? command : null, pythonFiles: [], args: [] };
  const words = unwrapped(command);
  if (!PYTHON.test(words[0] ?? '')) return started;
  let at = 1;
  while (words[at]?.startsWith('-') && words[at] !== '-m' && words[at] !== '-c')
    at += WITH_VALUE.has(words[at]!) ? 2 : 1;
  const isModule = words[at] === '-m';
  if (isModule) at++;
  const named = words[at];
  if (named === undefined || named === '-c' || !(isModule || named.endsWith('.py'))) return started;
  const endings = endingsOf(isModule ? `${named.replaceAll('.', '/')}.py` : named);
  const places = ['', ...copiedFrom(stage)];
  return {
    command,
    pythonFiles: endings.flatMap((ending) => places.map((place) => (place === '' ? ending : `${place}/${ending}`))),
    args: words.slice(at + 1),
  };
}
