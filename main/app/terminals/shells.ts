/** Composes all terminals whose shells the app runs: over SSH, and of this computer. */
import { AppError } from '#contract/core/errors.ts';
import { createHostShell } from './host/hostShell.ts';
import { loadPty } from './host/loadPty.ts';
import { loginShell } from './host/loginShell.ts';
import { createSsh, type Ssh, type SshOptions } from './ssh.ts';
import { createTerminals, type Terminals } from './terminals.ts';

/** The ids of the sessions of shells of this computer begin with it, and those of no other. */
export const HOST_SESSION = 'host-';

export interface HostShells extends Pick<Terminals, 'of' | 'count'> {
  /** Why there can be no shell of this computer, as a sentence for a person; null if there can. */
  problem(): Promise<string | null>;
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

const NOT_ALLOWED = 'Shells of this computer are switched off by the flag --no-shell.';

function createHostShells({ allowsHostShell, mask, clock, openScreen }: ShellsOptions) {
  let loading: ReturnType<typeof loadPty> | null = null;
  const load = () => (loading ??= allowsHostShell ? loadPty() : Promise.resolve({ problem: NOT_ALLOWED }));
  let loaded: Awaited<ReturnType<typeof loadPty>> = { problem: NOT_ALLOWED };
  const terminals = createTerminals({
    clock,
    kind: 'host',
    idPrefix: HOST_SESSION,
    openShell({ command, beside, ...request }) {
      if ('problem' in loaded) throw new AppError('UNSUPPORTED', loaded.problem);
      if (command !== null) throw new AppError('BAD_REQUEST', 'A terminal of this computer runs the login shell only.');
      return createHostShell({
        ...request,
        spawn: loaded.spawn,
        start: loginShell(process.env, mask, beside?.folder?.()),
      });
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
