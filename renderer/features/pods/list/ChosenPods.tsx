/** Actions for all selected Pods, with the result for each. */
import { useState } from 'react';
import { Button } from '@mantine/core';
import { useCommands } from '../../../state/commands.ts';
import { formatCount } from '../../../ui/text/format.ts';
import { formatPerHour } from '../../../ui/text/money.ts';
import { ConfirmDialog } from '../../../ui/primitives/ConfirmDialog.tsx';
import { changePod, changeWordsOf } from '../actions/podWork.ts';
import type { PodWork } from '../../../ui/text/podWords.ts';
import type { ShownPod } from '../../../ui/text/podWords.ts';
import chosenBar from '../../../ui/theme/chosen.module.css';
import styles from './table.module.css';
import { ReasonButton } from '../../../ui/popover/ReasonButton.tsx';
import { counted, rich, t } from '../../../language/text.ts';

type BulkWork = Extract<PodWork, 'start' | 'stop' | 'remove'>;

interface Outcome {
  podId: string;
  /** "Stopped trainer", or "trainer was not stopped". */
  words: string;
  /** Why it was not done; null if it was. */
  problem: string | null;
}

/** What the action can be done with: a locked Pod is neither stopped nor deleted. */
const fits: Record<BulkWork, (row: ShownPod) => boolean> = {
  start: ({ pod }) => pod.desiredStatus === 'EXITED',
  stop: ({ pod }) => pod.desiredStatus === 'RUNNING' && !pod.locked,
  remove: ({ pod }) => !pod.locked,
};

interface ChosenPodsProps {
  accountId: string;
  rows: readonly ShownPod[];
  onClear: () => void;
}

export function ChosenPods({ accountId, rows, onClear }: ChosenPodsProps) {
  const [outcomes, setOutcomes] = useState<readonly Outcome[]>([]);
  const [asking, setAsking] = useState<BulkWork | null>(null);
  const [isBusy, setBusy] = useState(false);
  const of = (work: BulkWork) => rows.filter((row) => (row.work ?? null) === null && fits[work](row));
  const [toStart, toStop, toRemove] = [of('start'), of('stop'), of('remove')];

  async function run(work: BulkWork): Promise<void> {
    setAsking(null);
    setOutcomes([]);
    setBusy(true);
    const changes = of(work).map(async ({ pod }) => {
      const problem = await changePod(accountId, pod, work, { isQuiet: true });
      const words = changeWordsOf(work, pod.name, problem === null);
      setOutcomes((before) => [...before, { podId: pod.id, words, problem }]);
    });
    await Promise.all(changes);
    setBusy(false);
  }
  const perHour = toStart.reduce((sum, { pod }) => sum + pod.costPerHr, 0);
  const buttons = [
    { work: 'start' as const, label: t`Start ${formatCount(toStart.length)}`, count: toStart.length },
    { work: 'stop' as const, label: t`Stop ${formatCount(toStop.length)}…`, count: toStop.length },
    { work: 'remove' as const, label: t`Delete ${formatCount(toRemove.length)}…`, count: toRemove.length },
  ];
  const begin = (work: BulkWork) => (work === 'start' ? void run(work) : setAsking(work));
  useCommands([
    !isBusy && toStart.length > 0 && { label: t`Start the chosen Pods`, run: () => begin('start') },
    !isBusy && toStop.length > 0 && { label: t`Stop the chosen Pods…`, run: () => begin('stop') },
    !isBusy && toRemove.length > 0 && { label: t`Delete the chosen Pods…`, run: () => begin('remove') },
  ]);
  return (
    <>
      <div className={chosenBar.bar} role="toolbar" aria-label={t`Chosen Pods`}>
        <span>{rich`${(<b>{formatCount(rows.length)}</b>)} chosen`}</span>
        {buttons.map(({ work, label, count }) => (
          <ReasonButton
            key={work}
            size="xs"
            variant="default"
            whyNot={
              count === 0 ? t`None of these Pods allows it.` : isBusy ? t`The last action is still running.` : null
            }
            onClick={() => begin(work)}
          >
            {label}
            {work === 'start' && perHour > 0 && ` · ${formatPerHour(perHour)}`}
          </ReasonButton>
        ))}
        <Button size="xs" variant="subtle" onClick={onClear}>{t`Choose none`}</Button>
      </div>
      {outcomes.length > 0 && (
        <ul
          className={`${chosenBar.outcomes} ${styles.outcomes}`}
          aria-label={t`Result`}
          aria-live="polite"
          tabIndex={0}
        >
          {outcomes.map(({ podId, words, problem }) => (
            <li key={podId} data-failed={problem !== null || undefined}>
              <b>{words}</b>
              {problem !== null && <span>{problem}</span>}
            </li>
          ))}
        </ul>
      )}
      <BulkQuestion
        work={asking}
        rows={asking === null ? [] : of(asking)}
        onClose={() => setAsking(null)}
        onConfirm={(work) => void run(work)}
      />
    </>
  );
}

interface BulkQuestionProps {
  /** Null while the dialog is closed. */
  work: BulkWork | null;
  /** The Pods that are stopped or deleted. */
  rows: readonly ShownPod[];
  onClose: () => void;
  onConfirm: (work: BulkWork) => void;
}

/** Names the Pods before they are stopped or deleted. */
function BulkQuestion({ work, rows, onClose, onConfirm }: BulkQuestionProps) {
  const pods = counted(rows.length, '{0} Pod', '{0} Pods');
  const destroys = work === 'remove';
  return (
    <ConfirmDialog
      opened={work !== null}
      onClose={onClose}
      title={destroys ? t`Delete ${pods}?` : t`Stop ${pods}?`}
      action={destroys ? t`Delete ${pods}` : t`Stop ${pods}`}
      {...(destroys && { typed: t`delete` })}
      busy={false}
      problem={null}
      onConfirm={() => work !== null && onConfirm(work)}
    >
      <p>
        {destroys
          ? t`Their containers and their own volumes are lost. Network volumes are kept. This cannot be undone.`
          : t`Everything that runs in them stops. Their volumes are kept, and their GPUs are released.`}
      </p>
      <ul>
        {rows.map(({ pod }) => (
          <li key={pod.id}>{pod.name}</li>
        ))}
      </ul>
    </ConfirmDialog>
  );
}
