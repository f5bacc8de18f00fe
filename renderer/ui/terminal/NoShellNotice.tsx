/** Why the Pod of a terminal has no shell: it is stopped, does not start, or was deleted. */
import { useState } from 'react';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { PodRow } from '#contract/bridge/pod.ts';
import { useAccounts } from '../../client/accounts.ts';
import { useStatePollMs } from '../../client/changes/pushed.ts';
import { usePollMs } from '../../client/transport/live.ts';
import { orpc } from '../../client/transport/orpc.ts';
import { Notice } from '../primitives/Notice.tsx';
import { changePod, withCost } from '../pod/podWork.ts';
import { stateOf, type PodState } from '../text/podWords.ts';
import { t } from '../../language/text.ts';
import type { Pane } from './layout.ts';

/** The Pod of a terminal: null if there is none with its id; undefined for other targets, and while it is not known. */
export function usePodOf(accountId: string, { kind, targetId }: Pane, isNeeded: boolean): PodRow | null | undefined {
  const refetchInterval = useStatePollMs(accountId, usePollMs());
  const { data } = useQuery(
    orpc.pods.now.queryOptions({
      input: { accountId },
      enabled: kind === 'pod' && isNeeded,
      refetchInterval,
      retry: false,
    }),
  );
  if (kind !== 'pod' || data === undefined) return undefined;
  return data.rows.find(({ pod }) => pod.id === targetId) ?? null;
}

const titles: Partial<Record<PodState, string>> = {
  stopped: t`The Pod is stopped.`,
  failing: t`The Pod is not running.`,
  looping: t`The Pod is in a crash loop.`,
};

/** Whether a terminal into this Pod has no shell because of the state of the Pod. */
export const isWithoutShell = (row: PodRow | null): boolean => row === null || titles[stateOf(row).state] !== undefined;

export interface NoShellNoticeProps {
  accountId: string;
  /** Null: it was deleted. */
  row: PodRow | null;
  /** Whether the page shows the state of the Pod beside the terminal, and starts it. */
  isPodShown: boolean;
  /** Whether the terminal opens by itself once the Pod runs. */
  isWaiting: boolean;
  /** The Pod was started here. */
  onStart: () => void;
  onClose: () => void;
}

export function NoShellNotice({ accountId, row, isPodShown, isWaiting, onStart, onClose }: NoShellNoticeProps) {
  const close = <Button size="xs" variant="default" onClick={onClose}>{t`Close`}</Button>;
  if (row === null) return <Notice tone="off" title={t`The Pod was deleted.`} action={close} />;
  const { state, why } = stateOf(row);
  return (
    <Notice
      tone={state === 'stopped' ? 'off' : 'bad'}
      title={titles[state] ?? ''}
      action={
        <>
          {!isPodShown && <StartButton accountId={accountId} row={row} onStart={onStart} />}
          {close}
        </>
      }
    >
      {state !== 'stopped' && !isPodShown && `${why ?? ''} `}
      {isWaiting
        ? t`The terminal opens as soon as the container runs. What you type is kept until then.`
        : t`Start it to open a terminal in it.`}
    </Notice>
  );
}

function StartButton({
  accountId,
  row: { pod },
  onStart,
}: Pick<NoShellNoticeProps, 'accountId' | 'onStart'> & { row: PodRow }) {
  const spends = useAccounts()?.find(({ id }) => id === accountId)?.kind === 'cloud';
  const [isBusy, setBusy] = useState(false);
  const start = async () => {
    setBusy(true);
    const problem = await changePod(accountId, pod, 'start');
    setBusy(false);
    if (problem === null) onStart();
  };
  return (
    <Button size="xs" variant="default" loading={isBusy} onClick={() => void start()}>
      {withCost(t`Start the Pod`, pod.costPerHr, spends)}
    </Button>
  );
}
