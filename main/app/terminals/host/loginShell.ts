/** The shell of the person on this computer: its program, its environment, and where it begins; the same for `ssh`. */
import { accessSync, constants, statSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { basename, delimiter, isAbsolute, join } from 'node:path';
import type { SshDestination } from '#contract/app/terminals/sshDestination.ts';

export interface ShellStart {
  file: string;
  args: string[];
  cwd: string;
  env: Record<string, string>;
}

/** Shells that read the profile of the person with `-l`, as after a login. */
const LOGIN_SHELLS = new Set(['sh', 'dash', 'ash', 'bash', 'zsh', 'ksh', 'mksh', 'fish', 'nu']);
/** Programs that stand in the place of a shell for users who may not log in. */
const NO_SHELLS = new Set(['nologin', 'false', 'true']);

/** Variables that Hangar and the programs that run it have set. The shell of the person does not get them. */
const NOT_PASSED = /^(?:HANGAR_(?!HOME$).*|ELECTRON_.*|NODE_CHANNEL_.*|NODE_COMPILE_CACHE|npm_.*|TERM_PROGRAM.*)$/;

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    // It is not there, or not for this user.
    return false;
  }
}

function shellOfUser(): string | null {
  try {
    return userInfo().shell;
  } catch {
    // The user has no entry in the list of users, as in some containers.
    return null;
  }
}

/** The login shell, or the one of the environment, or `sh`. */
function unixShell(env: NodeJS.ProcessEnv): string {
  const candidates = [shellOfUser(), env['SHELL']];
  const shell = candidates.find((path) => path && !NO_SHELLS.has(basename(path)) && isProgram(path));
  return shell ?? '/bin/sh';
}

function isFolder(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isDirectory();
  } catch {
    // It is gone, was never made, or is not for this user.
    return false;
  }
}

function firstFolder(candidates: readonly (string | null | undefined)[]): string {
  const folder = candidates.find((path) => path && isFolder(path));
  return folder ?? (process.platform === 'win32' ? 'C:\\' : '/');
}

/** The variables that a program of the person gets. */
function variablesOf(env: NodeJS.ProcessEnv): Record<string, string> {
  const passed = Object.entries(env).flatMap(([name, value]) =>
    value === undefined || NOT_PASSED.test(name) ? [] : [[name, value] as const],
  );
  const hasLanguage = passed.some(([name]) => ['LC_ALL', 'LC_CTYPE', 'LANG'].includes(name));
  return {
    ...(!hasLanguage && { LANG: process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8' }),
    ...Object.fromEntries(passed),
    TERM: 'xterm-256color',
    COLORTERM: 'truecolor',
    TERM_PROGRAM: 'Hangar',
  };
}

/** A program of Unix with its arguments. The pty inherits the umask of Hangar; `exec` leaves the program as the only process. */
const withMask = (mask: number, command: readonly string[]): Pick<ShellStart, 'file' | 'args'> => ({
  file: '/bin/sh',
  args: ['-c', 'umask "$0"; exec "$@"', mask.toString(8).padStart(4, '0'), ...command],
});

/**
 * The login shell of the user that Hangar runs as, in `folder` if that is there, otherwise in the home folder. `mask`:
 * the umask of the files that it makes, because Hangar's own is stricter.
 */
export function loginShell(env: NodeJS.ProcessEnv, mask: number, folder: string | null = null): ShellStart {
  const cwd = firstFolder([folder, homedir()]);
  const variables = variablesOf(env);
  if (process.platform === 'win32') {
    return { file: env['COMSPEC'] ?? 'cmd.exe', args: [], cwd, env: variables };
  }
  const shell = unixShell(env);
  const command = LOGIN_SHELLS.has(basename(shell)) ? [shell, '-l'] : [shell];
  return { ...withMask(mask, command), cwd, env: { ...variables, SHELL: shell } };
}

/** The path of the person's `ssh` program; null if PATH has none. */
export function findSsh(env: NodeJS.ProcessEnv): string | null {
  const name = process.platform === 'win32' ? 'ssh.exe' : 'ssh';
  const folders = (env['PATH'] ?? env['Path'] ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
  return folders.map((folder) => join(folder, name)).find(isProgram) ?? null;
}

/**
 * The person's `ssh` at a host, with the person's settings and agent. It asks for what it needs to know in the terminal:
 * a window for that could open on another computer than that of the browser. `mask` as above.
 */
export function sshShell(
  env: NodeJS.ProcessEnv,
  mask: number,
  program: string,
  { target, port }: SshDestination,
): ShellStart {
  const args = [...(port === null ? [] : ['-p', String(port)]), '--', target];
  const run = process.platform === 'win32' ? { file: program, args } : withMask(mask, [program, ...args]);
  return { ...run, cwd: firstFolder([homedir()]), env: { ...variablesOf(env), SSH_ASKPASS_REQUIRE: 'never' } };
}
