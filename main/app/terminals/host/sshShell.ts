/** A shell at another computer, by the person's own `ssh` program in a terminal of this one. */
import { AppError } from '#contract/core/errors.ts';
import { LONGEST_DESTINATION, readSshDestination } from '#contract/app/terminals/sshDestination.ts';
import type { ShellEnd } from '../../../terminal/session.ts';
import type { LinkedShell } from '../linkedShell.ts';
import { createHostShell, type HostShellOptions } from './hostShell.ts';
import { sshShell } from './loginShell.ts';

export interface SshShellOptions extends Omit<HostShellOptions, 'start'> {
  /** The path of `ssh`. */
  program: string;
  mask: number;
  /** A name of `~/.ssh/config`, or `user@host:port`. */
  destination: string;
}

/** `ssh` itself ends with this code; any other is that of the shell at the other computer. */
const OF_SSH_ITSELF = 255;

function endOf(destination: string, { exitCode, reason }: ShellEnd): ShellEnd {
  if (exitCode === OF_SSH_ITSELF) {
    const what = `ssh did not reach ${destination}, was not let in, or lost the connection`;
    return { exitCode: null, reason: `${what}. Its last lines say which.` };
  }
  return { exitCode, reason: exitCode === null ? reason.replace('The shell', `ssh to ${destination}`) : reason };
}

/** Throws BAD_REQUEST for what is no destination, and UNAVAILABLE if the system gives no terminal. */
export function createSshShell({ program, mask, destination, ...options }: SshShellOptions): LinkedShell {
  const read = readSshDestination(destination);
  if (read === null) {
    throw new AppError(
      'BAD_REQUEST',
      `"${destination.slice(0, LONGEST_DESTINATION)}" is no host for ssh. Write a name of ~/.ssh/config, or user@host:port. Neither part begins with "-" or has spaces or characters of a shell.`,
    );
  }
  const shell = createHostShell({ ...options, start: sshShell(process.env, mask, program, read) });
  let isOver = false;
  const ended = shell.ended.then((end) => {
    isOver = true;
    return endOf(destination, end);
  });
  return {
    ...shell,
    ended,
    // What runs at the other computer is not known here.
    programs: async () => (isOver ? [] : null),
    folder: () => null,
  };
}
