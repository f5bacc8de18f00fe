/** Which files of a handler's folder make new workers when they change. */
import path from 'node:path';

/** Code: whoever changes it wants it to run. */
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
/** What a handler may read at its start, and may as well write itself. */
const SETTINGS = new Set(['.json', '.yaml', '.yml', '.toml', '.ini', '.cfg', '.conf', '.txt', '.jinja', '.j2', '.sql']);
/** Folders of what was installed or made, besides those that begin with a dot. */
const LEFT_OUT = new Set(['node_modules', '__pycache__', 'venv', 'site-packages']);

/**
 * `code` counts at any time. `settings` count unless a worker of the folder is busy or starting: then it is the handler that wrote
 * them. Null: never looked at, such as images, weights and logs.
 */
export type FileKind = 'code' | 'settings' | null;

/** `named`: files that the template's command names, which are code whatever they are called. */
export function fileKind(file: string, named: ReadonlySet<string>): FileKind {
  if (named.has(file)) return 'code';
  const ending = path.extname(file).toLowerCase();
  if (CODE.has(ending)) return 'code';
  return SETTINGS.has(ending) ? 'settings' : null;
}

/** Whether nothing at this path, or below it, is looked at. */
export function isLeftOut(root: string, file: string): boolean {
  const inside = path.relative(root, file);
  return inside !== '' && inside.split(path.sep).some((part) => part.startsWith('.') || LEFT_OUT.has(part));
}
