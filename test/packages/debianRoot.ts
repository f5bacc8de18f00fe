/** A Debian in a folder, with nothing in it but what every Debian has, to install packages in. Root on Debian only. */
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** A base is made once: it takes a minute, and the distribution's mirror. */
const cache = resolve(import.meta.dirname, '../../node_modules/.cache/debian-root');
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

const codename = (): string | undefined =>
  existsSync('/etc/os-release')
    ? /^VERSION_CODENAME=(\S+)$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1]
    : undefined;
const isDebian = (): boolean =>
  existsSync('/etc/os-release') && /^ID=debian$/m.test(readFileSync('/etc/os-release', 'utf8'));
/** The clean Debian as a tar file; there once `whyNoDebianRoot` has answered null. */
export const debianBase = (): string => join(cache, `${codename()}-${process.arch}.tar`);

function makeBase(): string | null {
  const folder = mkdtempSync(join(tmpdir(), 'hangar-base-'));
  try {
    const made = spawnSync('debootstrap', ['--variant=minbase', codename() ?? '', folder], { encoding: 'utf8' });
    if (made.status !== 0) {
      const last = `${made.stdout}${made.stderr}`.trim().split('\n').at(-1) ?? '';
      return `debootstrap could not make a Debian, most often because its mirror is not reached: ${last}`;
    }
    mkdirSync(cache, { recursive: true });
    // Two spec files may make it at the same time: each writes a file of its own.
    const file = `${debianBase()}.${randomUUID()}`;
    const packed = spawnSync('tar', ['-C', folder, '-cf', file, '.'], { encoding: 'utf8' });
    if (packed.status !== 0) throw new Error(packed.stderr);
    renameSync(file, debianBase());
    return null;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Why no Debian can be made in a folder here; null when one can. The first call may take minutes. */
export function whyNoDebianRoot(): string | null {
  if (process.platform !== 'linux' || !isDebian()) return 'Debian packages are tested on Debian only';
  if (process.getuid?.() !== 0) return 'only root can install Debian packages in a folder of their own (chroot)';
  if (spawnSync('unshare', ['--mount', 'true']).status !== 0) return 'no file systems may be mounted here (unshare)';
  if (existsSync(debianBase())) return null;
  if (spawnSync('which', ['debootstrap']).status !== 0) {
    return 'debootstrap cannot be found: apt-get update && apt-get install -y --no-install-recommends debootstrap';
  }
  return makeBase();
}

/** Disappears with the scope that holds it; what still runs in it has to be stopped before. */
export interface DebianRoot extends Disposable {
  readonly folder: string;
  /** The command line that runs a program in it, for a caller that starts it itself; `env` for it. */
  command(program: string, ...args: string[]): [string, ...string[]];
  readonly env: NodeJS.ProcessEnv;
  /** Runs a program in it and returns what it printed; throws when it fails. */
  run(program: string, ...args: string[]): string;
  /** Every path in it that is no part of a kernel's file system, sorted. */
  paths(): string[];
}

export function makeDebianRoot(): DebianRoot {
  const folder = mkdtempSync(join(tmpdir(), 'hangar-debian-'));
  const unpacked = spawnSync('tar', ['-C', folder, '-xf', debianBase()], { encoding: 'utf8' });
  if (unpacked.status !== 0) throw new Error(unpacked.stderr);
  const env = { PATH, HOME: '/root', DEBIAN_FRONTEND: 'noninteractive', HANGAR_KEYS: 'memory', LC_ALL: 'C.UTF-8' };
  // Mounts of its own, which end with the program.
  const script = 'mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" && exec chroot "$0" "$@"';
  const command = (program: string, ...args: string[]): [string, ...string[]] => [
    '/usr/bin/unshare',
    '--mount',
    '/bin/sh',
    '-c',
    script,
    folder,
    program,
    ...args,
  ];
  return {
    folder,
    env,
    command,
    run(program, ...args) {
      const [first, ...rest] = command(program, ...args);
      const { status, stdout, stderr } = spawnSync(first, rest, { env, encoding: 'utf8' });
      if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}:\n${stdout}${stderr}`);
      return stdout + stderr;
    },
    paths() {
      const { stdout } = spawnSync('find', [folder, '-xdev', '-printf', '%P\n'], {
        encoding: 'utf8',
        maxBuffer: 64 * 1024 * 1024,
      });
      return stdout
        .split('\n')
        .filter((path) => path !== '')
        .sort();
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}
