/** Finds the frames of tracebacks that name a file in the folder of a handler. */
import { pathBelow } from './codeFolder.ts';

/** A place in a text that names a line of a file. */
export interface CodeFrame {
  readonly start: number;
  readonly end: number;
  /** From the folder of the handler on. */
  readonly path: string;
  /** From 1 on. */
  readonly line: number;
}

/**
 * Python's `File "/a/b.py", line 12`, and Node's `file:///a/b.mjs:12:5`, `(/a/b.js:12:5)` and `at /a/b.js:12:5`, also
 * with a drive of Windows.
 */
const FRAME =
  /File "([^"\n]+)", line (\d+)|(file:\/\/\/[^\s()"']+?):(\d+)(?::\d+)?(?![\w:])|(?<=\(|\bat (?:async )?)((?:\/|[A-Za-z]:\\)[^()\n]*?):(\d+):\d+(?=\)|\s|$)/gm;

/** The absolute path of a `file:` address; null for one that is not well formed. */
function pathOfAddress(address: string): string | null {
  try {
    return decodeURIComponent(new URL(address).pathname);
  } catch {
    // A text that looks like an address: it stays text.
    return null;
  }
}

/**
 * The path of a named file in the folder; null for another file. A worker runs in the folder of its handler, so a name
 * that begins at no root is one in it, but not what Python calls `<string>` or `<frozen os>`.
 */
function pathIn(named: string, folder: string): string | null {
  if (/^(\/|\\|[A-Za-z]:)/.test(named)) return pathBelow(named, folder);
  return named.startsWith('<') ? null : named.replaceAll('\\', '/').replace(/^\.\//, '');
}

/** The frames of files in `folder`, in the order of the text. Other files, such as those of packages, have none. */
export function framesIn(text: string, folder: string): CodeFrame[] {
  const frames: CodeFrame[] = [];
  for (const match of text.matchAll(FRAME)) {
    const [whole, python, pythonLine, address, addressLine, file, fileLine] = match;
    const named = python ?? (address === undefined ? file : pathOfAddress(address));
    const path = named === undefined || named === null ? null : pathIn(named, folder);
    if (path === null || path === '' || path.split('/').includes('..')) continue;
    const line = Number(pythonLine ?? addressLine ?? fileLine);
    frames.push({ start: match.index, end: match.index + whole.length, path, line });
  }
  return frames;
}

/**
 * The frame in which the error was raised, among those of the handler: Python writes it last, Node first. Null without
 * one. Of several errors in one traceback, Python's last one is what failed.
 */
export function innermostFrame(text: string, folder: string): Pick<CodeFrame, 'path' | 'line'> | null {
  const frames = framesIn(text, folder);
  const frame = /^Traceback |^ +File "/m.test(text) ? frames.at(-1) : frames[0];
  return frame === undefined ? null : { path: frame.path, line: frame.line };
}
