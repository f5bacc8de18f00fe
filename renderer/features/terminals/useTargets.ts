/** The targets of terminals: this computer, running Pods, and workers in containers. */
import { useQuery } from '@tanstack/react-query';
import { THIS_MACHINE } from '#contract/app/account.ts';
import { orpc } from '../../client/transport/orpc.ts';
import { t } from '../../language/text.ts';
import type { TerminalTarget } from '../../ui/terminal/layout.ts';

export interface NamedTarget extends TerminalTarget {
  name: string;
  /** Why a terminal is not possible now; null if it is. */
  reason: string | null;
}

export const targetKey = ({ kind, targetId }: TerminalTarget): string => `${kind}:${targetId}`;

export function useTargets(accountId: string): NamedTarget[] {
  const input = { accountId };
  const pods = useQuery(orpc.pods.now.queryOptions({ input, retry: false }));
  const workers = useQuery(orpc.machine.workers.queryOptions({ input, retry: false }));
  const isHere = accountId === THIS_MACHINE;
  const host = useQuery(orpc.terminals.hostShell.queryOptions({ enabled: isHere, retry: false, staleTime: Infinity }));
  return [
    // The shells of a remote account run there.
    ...(isHere && host.data !== undefined
      ? [{ kind: 'host' as const, targetId: 'host', name: t`This computer`, reason: host.data.problem }]
      : []),
    ...(pods.data?.rows ?? []).map(({ pod, facts }) => ({
      kind: 'pod' as const,
      targetId: pod.id,
      name: pod.name,
      // The state of a Pod without facts is not known; its terminal reports failures.
      reason: pod.desiredStatus !== 'RUNNING' ? 'stopped' : facts?.runtime === null ? 'starting' : null,
    })),
    ...(workers.data ?? [])
      .filter(({ runtime }) => runtime === 'container')
      .map(({ id }) => ({ kind: 'worker' as const, targetId: id, name: `worker ${id}`, reason: null })),
  ];
}
