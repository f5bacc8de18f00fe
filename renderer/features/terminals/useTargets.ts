/** The targets of terminals: this computer, hosts of its `ssh` program, running Pods, and workers in containers. */
import { useQuery } from '@tanstack/react-query';
import { THIS_MACHINE } from '#contract/app/account.ts';
import type { PodRow } from '#contract/bridge/pod.ts';
import { errorText, orpc } from '../../client/transport/orpc.ts';
import { podStateWords, stateOf } from '../../ui/text/podWords.ts';
import { t } from '../../language/text.ts';
import type { TerminalTarget } from '../../ui/terminal/layout.ts';

export interface NamedTarget extends TerminalTarget {
  name: string;
  /** Why a terminal is not possible now; null if it is. */
  reason: string | null;
}

export const targetKey = ({ kind, targetId }: TerminalTarget): string => `${kind}:${targetId}`;

/** The hosts of the person's `ssh` program. */
export interface SshHosts {
  hosts: readonly string[];
  /** Why the list has not all of them; null if it has. */
  unread: string | null;
  /** Why there can be no such terminal; null if there can. */
  problem: string | null;
  /** Reads the settings again, which may have changed. */
  refresh: () => void;
}

const sshOptions = (isHere: boolean) =>
  orpc.terminals.sshHosts.queryOptions({ enabled: isHere, retry: false, staleTime: Infinity });

/** Null for a remote account, and until they were read. */
export function useSshHosts(accountId: string): SshHosts | null {
  const isHere = accountId === THIS_MACHINE;
  const query = useQuery(sshOptions(isHere));
  // Another account is not asked, but would get the kept answer.
  return !isHere || query.data === undefined ? null : { ...query.data, refresh: () => void query.refetch() };
}

export const sshTarget = (destination: string): TerminalTarget => ({ kind: 'ssh', targetId: destination });

/** The state of a Pod without facts is not known; its terminal reports failures. */
const hasTerminal = ({ pod, facts }: PodRow): boolean => pod.desiredStatus === 'RUNNING' && facts?.runtime !== null;

interface Targets {
  targets: NamedTarget[];
  /** Whether all of them, and the hosts of `ssh`, were asked for once. */
  isKnown: boolean;
  /** Why the Pods could not be read; null if they were, or are not asked for yet. */
  unread: string | null;
  /** Asks for the Pods again. */
  retry: () => void;
}

export function useTargets(accountId: string): Targets {
  const input = { accountId };
  const pods = useQuery(orpc.pods.now.queryOptions({ input, retry: false }));
  const workers = useQuery(orpc.machine.workers.queryOptions({ input, retry: false }));
  const hasWorkers = workers.data?.some(({ runtime }) => runtime === 'container') === true;
  const endpoints = useQuery(orpc.endpoints.now.queryOptions({ input, enabled: hasWorkers, retry: false }));
  const names = new Map(endpoints.data?.rows.map(({ id, name }) => [id, name]));
  const isHere = accountId === THIS_MACHINE;
  const ssh = useQuery(sshOptions(isHere));
  const host = useQuery(orpc.terminals.hostShell.queryOptions({ enabled: isHere, retry: false, staleTime: Infinity }));
  const targets = [
    // The shells of a remote account run there.
    ...(isHere && host.data !== undefined
      ? [{ kind: 'host' as const, targetId: 'host', name: t`This computer`, reason: host.data.problem }]
      : []),
    // Those that can be opened now stand first.
    ...(pods.data?.rows ?? [])
      .toSorted((one, other) => Number(hasTerminal(other)) - Number(hasTerminal(one)))
      .map((row) => ({
        kind: 'pod' as const,
        targetId: row.pod.id,
        name: row.pod.name,
        reason: hasTerminal(row) ? null : podStateWords[stateOf(row).state].inSentence,
      })),
    ...(workers.data ?? [])
      .filter(({ runtime }) => runtime === 'container')
      .map(({ id, endpointId }) => {
        const endpoint = names.get(endpointId);
        const name = endpoint === undefined ? t`worker ${id}` : t`${endpoint}, worker ${id}`;
        return { kind: 'worker' as const, targetId: id, name, reason: null };
      }),
  ];
  return {
    targets,
    isKnown: ![pods, workers, endpoints, host, ssh].some(({ isLoading }) => isLoading),
    unread: pods.isError && pods.data === undefined ? errorText(pods.error) : null,
    retry: () => void pods.refetch(),
  };
}
