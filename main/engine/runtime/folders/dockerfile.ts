/** Finds the Python file that a Dockerfile starts. It parses only the necessary part of the language. */
import { splitCommandLine } from '../../domain/core/shellWords.ts';

export interface DockerStart {
  /** The words of the command that the image would run; null without a command. */
  readonly command: string[] | null;
  /**
   * The possible paths of the Python file in the folder, most likely first; empty where the command is something else.
   */
  readonly pythonFiles: string[];
  /** The words after the file. */
  readonly args: string[];
}

const PYTHON = /^(?:.*\/)?python[\d.]*$/;
/** The options of Python with a value in the next word. */
const WITH_VALUE = new Set(['-W', '-X', '-Q', '--check-hash-based-pycs']);

/** The instructions with their arguments. Joins lines that end with `\` and skips comments. */
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

/** Parses a JSON list, or a line for a shell. */
function wordsOf(rest: string): string[] {
  if (rest.startsWith('[')) {
    try {
      const words: unknown = JSON.parse(rest);
      if (Array.isArray(words) && words.every((word) => typeof word === 'string')) return words;
    } catch {
      // Invalid JSON is a line for a shell, as in Docker.
    }
  }
  try {
    return splitCommandLine(rest);
  } catch {
    // Docker refuses an unclosed quote as well.
    return [];
  }
}

/** The final command, without `exec` and without the shell around it. */
function unwrapped(all: string[]): string[] {
  const words = all.slice(all.lastIndexOf('&&') + 1);
  const [program, option, line] = words;
  if (program === 'exec') return unwrapped(words.slice(1));
  if (/^(?:.*\/)?(?:ba|da)?sh$/.test(program ?? '') && option?.startsWith('-') && option.endsWith('c') && line) {
    return unwrapped(wordsOf(line));
  }
  return words;
}

/** The possible places of an image's file in the folder: `src/app/handler.py`, `app/handler.py`, `handler.py`. */
function endingsOf(file: string): string[] {
  const parts = file.split('/').filter((part) => part !== '' && part !== '.');
  return parts.includes('..') ? [] : parts.map((_part, at) => parts.slice(at).join('/'));
}

/** The folders of this machine that are copied into the image. */
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
  // Each FROM begins a new stage; only the last stage is started.
  const stage = all.slice(all.findLastIndex(({ name }) => name === 'FROM') + 1);
  const last = (instruction: string): string[] =>
    wordsOf(stage.findLast(({ name }) => name === instruction)?.rest ?? '');
  const entrypoint = last('ENTRYPOINT');
  const command = [...entrypoint, ...last('CMD')];
  const started = { command: command.length > 0 ? command : null, pythonFiles: [], args: [] };
  const words = unwrapped(command);
  if (!PYTHON.test(words[0] ?? '')) return started;
  let at = 1;
  for (let word = words[at]; word?.startsWith('-') && word !== '-m' && word !== '-c'; word = words[at])
    at += WITH_VALUE.has(word) ? 2 : 1;
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
