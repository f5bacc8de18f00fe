/** The file and the line of an error, from the traceback that a program in Python or Node wrote. */

const PYTHON_FRAME = /^\s*File "([^"<]+)", line (\d+)/;
/** Stack frames, and the line before the code of a syntax error. */
const NODE_FRAME = /^(?:\s+at .*?)?(?:file:\/\/)?((?:\/|[A-Za-z]:[\\/])[^():]+):(\d+)(?::\d+)?\)?$/;
/** Folders whose files a person did not write. */
const LIBRARY = /[\\/](?:site-packages|dist-packages|node_modules|worker-kit|lib[\\/]python[\d.]+)[\\/]/;

/** `handler.py:3`; null where no line names a file of the person. */
export function errorPlace(lines: readonly string[]): string | null {
  const placeBy = (frame: RegExp) => (line: string) => {
    const [, file = '', at] = frame.exec(line) ?? [];
    return at === undefined || LIBRARY.test(file) ? [] : [`${file.split(/[\\/]/).at(-1)}:${at}`];
  };
  // Python names the innermost call last, Node first.
  return lines.flatMap(placeBy(PYTHON_FRAME)).at(-1) ?? lines.flatMap(placeBy(NODE_FRAME))[0] ?? null;
}
