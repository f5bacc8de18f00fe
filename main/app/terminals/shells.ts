/** Composes all terminals whose shells the app runs: over SSH, and of this computer. */
import { AppError } from '#contract/core/errors.ts';
import { createHostShell } from './host/hostShell.ts';
import { loadPty } from './host/loadPty.ts';
import { findSsh, loginShell } from './host/loginShell.ts';
import { hostsOfConfig, type SshHosts } from './host/sshConfig.ts';
import { createSshShell } from './host/sshShell.ts';
import { createSsh, type Ssh, type SshOptions } from './ssh.ts';
import { createAppTerminals, type AppTerminals } from './appTerminals.ts';

/** The ids of the sessions of shells of this computer begin with it, and those of no other. */
export const HOST_SESSION = 'host-';

export interface HostShells extends Pick<AppTerminals, 'of' | 'count'> {
  /** Why there can be no shell of this computer, as a sentence for a person; null if there can. */
  problem(): Promise<string | null>;
  /** The hosts of the person's settings; `problem`: why the `ssh` program cannot be run in a terminal. Never rejects. */
  sshHosts(): Promise<SshHosts & { problem: string | null }>;
}

export interface Shells extends Ssh {
  readonly host: HostShells;
  /** The number of all terminals. */
  count(): number;
}

export interface ShellsOptions extends SshOptions {
  /** Whether shells of this computer are allowed. */
  allowsHostShell: boolean;
  /** The umask of the files that they make. */
  mask: number;
}

const NOT_ALLOWED = 'Shells of this computer are turned off by the flag --no-shell.';

const NO_SSH =
  'There is no program "ssh" on the PATH of Hangar. Install the client of OpenSSH on this computer, then start Hangar again.';

function createHostShells({ allowsHostShell, mask, home, clock, openScreen }: ShellsOptions) {
  let loading: ReturnType<typeof loadPty> | null = null;
  const load = () => (loading ??= allowsHostShell ? loadPty() : Promise.resolve({ problem: NOT_ALLOWED }));
  let loaded: Awaited<ReturnType<typeof loadPty>> = { problem: NOT_ALLOWED };
  const terminals = createAppTerminals({
    clock,
    kinds: ['host', 'ssh'],
    idPrefix: HOST_SESSION,
    openShell({ command, beside, kind, targetId, size, onOutput }) {
      if ('problem' in loaded) throw new AppError('UNSUPPORTED', loaded.problem);
      if (command !== null) throw new AppError('BAD_REQUEST', 'A terminal of this computer runs no other command.');
      const common = { spawn: loaded.spawn, size, onOutput };
      if (kind !== 'ssh') {
        return createHostShell({ ...common, start: loginShell(process.env, mask, beside?.folder?.()) });
      }
      const program = findSsh(process.env);
      if (program === null) throw new AppError('UNSUPPORTED', NO_SSH);
      return createSshShell({ ...common, program, mask, destination: targetId });
    },
    ...(openScreen && { openScreen }),
  });
  const problem = async (): Promise<string | null> => {
    loaded = await load();
    return 'problem' in loaded ? loaded.problem : null;
  };
  return {
    ...terminals,
    problem,
    async sshHosts() {
      const reason = (await problem()) ?? (findSsh(process.env) === null ? NO_SSH : null);
      return reason === null
        ? { ...(await hostsOfConfig(home)), problem: null }
        : { hosts: [], unread: null, problem: reason };
    },
    of: (accountId: string) => {
      const api = terminals.of(accountId);
      return {
        ...api,
        async connect(...request: Parameters<typeof api.connect>) {
          const reason = await problem();
          if (reason !== null) throw new AppError('UNSUPPORTED', reason);
          return api.connect(...request);
        },
      };
    },
  };
}

export function createShells(options: ShellsOptions): Shells {
  const ssh = createSsh(options);
  const host = createHostShells(options);
  return {
    ...ssh,
    host,
    count: () => ssh.terminals.count() + host.count(),
    async stop() {
      await Promise.all([ssh.stop(), host.stop()]);
    },
  };
}
