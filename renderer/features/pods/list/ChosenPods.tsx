/** Actions for all selected Pods, with the result for each. */
import { useState } from 'react';
import { useCommands } from '../../../state/commands.ts';
import { formatCount } from '../../../ui/text/format.ts';
import { ConfirmDialog } from '../../../ui/primitives/ConfirmDialog.tsx';
import { changePod, changeWordsOf, withCost } from '../../../ui/pod/podWork.ts';
import type { PodWork, ShownPod } from '../../../ui/text/podWords.ts';
import chosenBar from '../../../ui/theme/chosen.module.css';
import styles from './table.module.css';
import { SelectionBar } from '../../../ui/grid/SelectionBar.tsx';
import { ReasonButton } from '../../../ui/popover/ReasonButton.tsx';
import { counted, rich, t } from '../../../language/text.ts';

type BulkWork = Extract<PodWork, 'start' | 'stop' | 'restart' | 'remove'>;

interface Outcome {
  podId: string;
  /** "Stopped trainer", or "trainer was not stopped". */
  words: string;
  /** Why it was not done; null if it was. */
  problem: string | null;
}

/** What the action can be done with: a locked Pod is neither stopped nor deleted, but it can be restarted. */
const fits: Record<BulkWork, (row: ShownPod) => boolean> = {
  start: ({ pod }) => pod.desiredStatus === 'EXITED',
  stop: ({ pod }) => pod.desiredStatus === 'RUNNING' && !pod.locked,
  restart: ({ pod }) => pod.desiredStatus === 'RUNNING',
  remove: ({ pod }) => !pod.locked,
};

interface ChosenPodsProps {
  accountId: string;
  /** Whether running costs money. */
  spends: boolean;
  rows: readonly ShownPod[];
  onClear: () => void;
}

export function ChosenPods({ accountId, spends, rows, onClear }: ChosenPodsProps) {
  const [outcomes, setOutcomes] = useState<readonly Outcome[]>([]);
  const [asking, setAsking] = useState<BulkWork | null>(null);
  const [isBusy, setBusy] = useState(false);
  const of = (work: BulkWork) => rows.filter((row) => (row.work ?? null) === null && fits[work](row));
  const [toStart, toStop, toRestart, toRemove] = [of('start'), of('stop'), of('restart'), of('remove')];

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
    { work: 'start', count: toStart.length, alone: t`Start`, counted: t`Start ${formatCount(toStart.length)}` },
    { work: 'stop', count: toStop.length, alone: t`Stop…`, counted: t`Stop ${formatCount(toStop.length)}…` },
    {
      work: 'restart',
      count: toRestart.length,
      alone: t`Restart…`,
      counted: t`Restart ${formatCount(toRestart.length)}…`,
    },
    { work: 'remove', count: toRemove.length, alone: t`Delete…`, counted: t`Delete ${formatCount(toRemove.length)}…` },
  ] as const;
  const begin = (work: BulkWork) => (work === 'start' ? void run(work) : setAsking(work));
  useCommands([
    !isBusy && toStart.length > 0 && { label: t`Start the selected Pods`, run: () => begin('start') },
    !isBusy && toStop.length > 0 && { label: t`Stop the selected Pods…`, run: () => begin('stop') },
    !isBusy && toRestart.length > 0 && { label: t`Restart the selected Pods…`, run: () => begin('restart') },
    !isBusy && toRemove.length > 0 && { label: t`Delete the selected Pods…`, run: () => begin('remove') },
  ]);
  return (
    <>
      <SelectionBar
        label={t`Selected Pods`}
        count={rich`${<b>{formatCount(rows.length)}</b>} selected`}
        onClear={onClear}
      >
        {buttons.map(({ work, count, alone, counted }) => (
          <ReasonButton
            key={work}
            size="xs"
            variant="default"
            whyNot={
              count === 0 ? t`None of these Pods allows it.` : isBusy ? t`The last action is still running.` : null
            }
            onClick={() => begin(work)}
          >
            {count === 0 ? alone : work === 'start' ? withCost(counted, perHour, spends) : counted}
          </ReasonButton>
        ))}
      </SelectionBar>
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
  /** The Pods that are stopped, restarted or deleted. */
  rows: readonly ShownPod[];
  onClose: () => void;
  onConfirm: (work: BulkWork) => void;
}

interface BulkQuestionWords {
  /** `pods`: "2 Pods". */
  title: (pods: string) => string;
  /** The text of the button. */
  action: (pods: string) => string;
  consequences: string;
}

/** Of each action that is confirmed first. */
const questions: Record<Exclude<BulkWork, 'start'>, BulkQuestionWords> = {
  stop: {
    title: (pods) => t`Stop ${pods}?`,
    action: (pods) => t`Stop ${pods}`,
    consequences: t`Everything that runs in them stops. Their volumes are kept, and their GPUs are released.`,
  },
  restart: {
    title: (pods) => t`Restart ${pods}?`,
    action: (pods) => t`Restart ${pods}`,
    consequences: t`Everything that runs in them stops, and their commands start again in the same containers. Their TCP ports may change.`,
  },
  remove: {
    title: (pods) => t`Delete ${pods}?`,
    action: (pods) => t`Delete ${pods}`,
    consequences: t`Their containers and their own volumes are lost. Network volumes are kept. This cannot be undone.`,
  },
};

/** Names the Pods before they are stopped, restarted or deleted. */
function BulkQuestion({ work, rows, onClose, onConfirm }: BulkQuestionProps) {
  const { title, action, consequences } = questions[work === null || work === 'start' ? 'stop' : work];
  const pods = counted(rows.length, '{0} Pod', '{0} Pods');
  return (
    <ConfirmDialog
      opened={work !== null}
      onClose={onClose}
      title={title(pods)}
      action={action(pods)}
      {...(work === 'remove' && { typed: t`delete` })}
      busy={false}
      problem={null}
      onConfirm={() => work !== null && onConfirm(work)}
    >
      <p>{consequences}</p>
      <ul>
        {rows.map(({ pod }) => (
          <li key={pod.id}>{pod.name}</li>
        ))}
      </ul>
    </ConfirmDialog>
  );
}
