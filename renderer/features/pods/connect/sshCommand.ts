/** The command that signs in to a Pod of Hangar through the SSH server of its engine. */
import type { PodSshFacts } from '#contract/local/ssh/podSsh.ts';

/** Null where nobody can sign in; `problem` says why. */
export const sshCommandOf = ({ host, port, username, problem }: PodSshFacts): string | null =>
  port === null || problem !== null ? null : `ssh -p ${port} ${username}@${host}`;
