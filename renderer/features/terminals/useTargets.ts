/** What terminals can lead into: Pods that run, and workers in containers. */
import { useQuery } from '@tanstack/react-query';
import { orpc } from '../../client/transport/orpc.ts';
import type { TerminalTarget } from './layout.ts';

export interface NamedTarget extends TerminalTarget {
  name: string;
  /** Why there is no terminal into it now; null where there is. */
  reason: string | null;
}

export const targetKey = ({ kind, targetId }: TerminalTarget): string => `${kind}:${targetId}`;

export function useTargets(accountId: string): NamedTarget[] {
  const input = { accountId };
  const pods = useQuery(orpc.pods.now.queryOptions({ input, retry: false }));
  const workers = useQuery(orpc.machine.workers.queryOptions({ input, retry: false }));
  return [
    ...(pods.data?.rows ?? []).map(({ pod, facts }) => ({
      kind: 'pod' as const,
      targetId: pod.id,
      name: pod.name,
      // Of Pods without facts no more is known; the terminal says why it does not reach one.
      reason:
        pod.desiredStatus !== 'RUNNING' ? 'it is stopped' : facts?.runtime === null ? 'it does not run yet' : null,
    })),
    ...(workers.data ?? [])
      .filter(({ runtime }) => runtime === 'container')
      .map(({ id }) => ({ kind: 'worker' as const, targetId: id, name: `worker ${id}`, reason: null })),
  ];
}
