/** The wait of a terminal for the container of its Pod. */
import { AppError } from '#contract/core/errors.ts';
import type { ManagedPods } from '../../domain/pods/podInterfaces.ts';
import type { TerminalTarget } from '../../domain/terminals/ports.ts';
import type { TerminalViewer } from '../../../terminal/viewer.ts';

export type PodStarts = Pick<ManagedPods, 'waitsFor' | 'onChange'>;

/**
 * Waits while the container of a Pod is being started. Resolves once it runs or is no longer to run, and at once if it
 * is not being started. The viewer gets the reason of the wait, and its end. Rejects with UNAVAILABLE when `left`
 * aborts.
 */
export async function podStarted(
  pods: PodStarts,
  { kind, id: podId }: TerminalTarget,
  viewer: Pick<TerminalViewer, 'send'>,
  left: AbortSignal,
): Promise<void> {
  let lastSent: string | null = null;
  const tell = (why: string | null): void => {
    if (why === lastSent) return;
    lastSent = why;
    const state = why === null ? 'up' : 'connecting';
    viewer.send({ type: 'link', state, why, retryAt: null, question: null });
  };
  if (kind !== 'pod' || pods.waitsFor(podId) === null) return;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const leave = (): void => reject(new AppError('UNAVAILABLE', 'The terminal was left before its container ran.'));
  const check = (): void => {
    const why = pods.waitsFor(podId);
    tell(why);
    if (why === null) resolve();
  };
  const unlisten = pods.onChange((changed) => {
    if (changed === podId) check();
  });
  left.addEventListener('abort', leave, { once: true });
  try {
    if (left.aborted) leave();
    else check();
    await promise;
  } finally {
    unlisten();
    left.removeEventListener('abort', leave);
  }
}
