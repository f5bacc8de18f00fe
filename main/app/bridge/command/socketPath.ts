/**
 * The path of the command line's socket: no other user of the machine can reach it, and it fits into a socket address.
 */
import { createHash } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A socket address holds 104 bytes on macOS and 108 bytes on Linux, including a zero at its end. */
const LONGEST_BYTES = 100;
const PRIVATE = 0o700;
const NAME = 'command.sock';

type Environment = Readonly<Record<string, string | undefined>>;

/** The same short id for each run on the same folder. */
const idOf = (dataDir: string): string => createHash('sha256').update(dataDir).digest('hex').slice(0, 16);

/**
 * The candidate paths, best first. On Windows: a named pipe with an id of the data folder. Elsewhere: a file in the
 * data folder, then a file in a private folder of the session or of the system's temporary files.
 */
export function socketPaths(dataDir: string, env: Environment, platform: NodeJS.Platform = process.platform): string[] {
  const id = idOf(dataDir);
  if (platform === 'win32') return [String.raw`\\.\pipe\hangar-${id}`];
  const user = process.getuid?.() ?? 0;
  const runtime = env['XDG_RUNTIME_DIR'];
  const paths = [
    join(dataDir, 'run', NAME),
    ...(runtime ? [join(runtime, `hangar-${id}`, NAME)] : []),
    join(tmpdir(), `hangar-${user}-${id}`, NAME),
  ];
  return paths.filter((path) => Buffer.byteLength(path) <= LONGEST_BYTES);
}

/**
 * Creates the folder of a socket, for its owner only. Throws if the folder belongs to another user, who may have
 * created it first among the temporary files.
 */
export function makeSocketFolder(socket: string): void {
  const folder = dirname(socket);
  mkdirSync(folder, { recursive: true, mode: PRIVATE });
  const facts = lstatSync(folder);
  const user = process.getuid?.();
  if (!facts.isDirectory() || (user !== undefined && facts.uid !== user)) {
    throw new Error(`The folder ${folder} belongs to another user.`);
  }
  if ((facts.mode & 0o777) !== PRIVATE) chmodSync(folder, PRIVATE);
}
