/** Finds a program on PATH, and in the folders where its installer puts it. */
import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';

function runs(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    // There is no such file, or this user may not run it.
    return false;
  }
}

const onWindows = process.platform === 'win32';

/** The path of a program; null where it is missing. `elsewhere`: the folders to search after PATH. */
export function findProgram(name: string, env: NodeJS.ProcessEnv, elsewhere: readonly string[]): string | null {
  const listed = (env['PATH'] ?? env['Path'] ?? '').split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  const file = onWindows ? `${name}.exe` : name;
  return [...listed, ...elsewhere].map((folder) => path.join(folder, file)).find(runs) ?? null;
}
