/** Decides which changed files of a handler's folder replace its workers. */
import path from 'node:path';

/** Code: a change always takes effect. */
const CODE = new Set([
  '.py',
  '.pyi',
  '.js',
  '.mjs',
  '.cjs',
  '.jsx',
  '.ts',
  '.mts',
  '.cts',
  '.tsx',
  '.sh',
  '.rb',
  '.lua',
]);
/** Files that a handler may read at its start, but may also write. */
const SETTINGS = new Set(['.json', '.yaml', '.yml', '.toml', '.ini', '.cfg', '.conf', '.txt', '.jinja', '.j2', '.sql']);
/** Folders of installed or generated files, besides those that begin with a dot. */
const LEFT_OUT = new Set(['node_modules', '__pycache__', 'venv', 'site-packages']);

/**
 * `code` always counts. `settings` count only while no worker of the folder is busy or starting, because the handler
 * may write them. Null for other files, such as images, weights and logs: they are ignored.
 */
export type FileKind = 'code' | 'settings' | null;

/** `named`: the files that the template's command names. They count as code. */
export function fileKind(file: string, named: ReadonlySet<string>): FileKind {
  if (named.has(file)) return 'code';
  const ending = path.extname(file).toLowerCase();
  if (CODE.has(ending)) return 'code';
  return SETTINGS.has(ending) ? 'settings' : null;
}

/** Whether to ignore this path and everything below it. */
export function isLeftOut(root: string, file: string): boolean {
  const inside = path.relative(root, file);
  return inside !== '' && inside.split(path.sep).some((part) => part.startsWith('.') || LEFT_OUT.has(part));
}
