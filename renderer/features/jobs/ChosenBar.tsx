/** Actions for all selected jobs, with the result for each. */
import { useState, type ReactNode } from 'react';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { isOver } from '#contract/app/jobs/times.ts';
import type { JobOutcome, LedgerEntry, LedgerFilter } from '#contract/app/ledger.ts';
import { useIsRemoved } from '../../client/accounts.ts';
import { useJobChanges } from '../../client/jobs/jobChanges.ts';
import { api, errorText } from '../../client/transport/orpc.ts';
import { useCommands } from '../../state/commands.ts';
import { formatCount } from '../../ui/text/format.ts';
import { StateChip } from '../../ui/domain/StateChip.tsx';
import { useNow } from '../../ui/primitives/useNow.ts';
import { ExportButton } from './ExportButton.tsx';
import { removedManyWords, whyNoCancel, whyNoRetry } from './jobActions.ts';
import { titleOf } from '../../ui/domain/jobText.ts';
import { MOST_CHOSEN } from './list/useChosenJobs.ts';
import { TagMany } from './list/TagMany.tsx';
import chosenBar from '../../ui/theme/chosen.module.css';
import styles from './jobs.module.css';
import { SelectionBar } from '../../ui/grid/SelectionBar.tsx';
import { ReasonButton } from '../../ui/popover/ReasonButton.tsx';
import { removeJobs } from '../../ui/undo/removedJobs.ts';
import { rich, t } from '../../language/text.ts';

interface ChosenBarProps {
  chosen: ReadonlyMap<string, LedgerEntry>;
  /** How many jobs the list has, of which only the first ones could be chosen; null in every other case. */
  cutFrom: number | null;
  filter: LedgerFilter;
  onClear: () => void;
  onRemoved: (entryIds: string[]) => void;
}

const MINUTE_MS = 60_000;

const acts = {
  cancel: { run: (entryIds: string[]) => api.jobs.cancelMany({ entryIds }), done: t`Cancelled` },
  retry: { run: (entryIds: string[]) => api.jobs.retryMany({ entryIds }), done: t`Retried` },
} as const;

/** Why the action is impossible for all of them; null if it is possible for one. */
function whyNone(entries: LedgerEntry[], why: (entry: LedgerEntry) => string | null): string | null {
  const reasons = entries.map(why);
  if (reasons.includes(null)) return null;
  return new Set(reasons).size === 1 ? (reasons[0] ?? null) : t`None of these jobs allows it.`;
}

/** A button that fits none of them is disabled and has no number. */
const withCount = (word: string, entryIds: readonly string[]): string =>
  entryIds.length === 0 ? word : `${word} ${formatCount(entryIds.length)}`;

const wordsOf = (entry: LedgerEntry | null): string => (entry ? `${titleOf(entry)} · ${entry.endpointName}` : '');

function countWords(count: number, cutFrom: number | null): ReactNode {
  const shown = <b>{formatCount(count)}</b>;
  if (cutFrom !== null) return rich`The first ${shown} of ${formatCount(cutFrom)} are selected`;
  return count < MOST_CHOSEN ? rich`${shown} selected` : rich`${shown} selected (the maximum)`;
}

export function ChosenBar({ chosen, cutFrom, filter, onClear, onRemoved }: ChosenBarProps) {
  const now = useNow(MINUTE_MS);
  const [outcomes, setOutcomes] = useState<readonly JobOutcome[]>([]);
  const entries = [...chosen.values()];
  const idsOf = (fit: (entry: LedgerEntry) => boolean) => entries.filter(fit).map(({ entryId }) => entryId);
  // A retried job goes on after its result: it is shown with its state of now.
  useJobChanges((changed) => {
    const newest = new Map(changed.map((entry) => [entry.entryId, entry]));
    setOutcomes((before) =>
      before.some(({ entryId }) => newest.has(entryId))
        ? before.map((outcome) => ({ ...outcome, entry: newest.get(outcome.entryId) ?? outcome.entry }))
        : before,
    );
  });
  const isRemoved = useIsRemoved();
  const noRetry = (entry: LedgerEntry) =>
    isRemoved(entry.accountId) ? removedManyWords(entry) : whyNoRetry(entry, now);

  const act = useMutation({
    mutationFn: async ({ name, entryIds }: { name: keyof typeof acts; entryIds: string[] }) => {
      setOutcomes([]);
      for await (const outcome of await acts[name].run(entryIds)) setOutcomes((before) => [...before, outcome]);
    },
  });
  const remove = useMutation({
    mutationFn: (entryIds: string[]) => removeJobs(entryIds).then(() => entryIds),
    onSuccess: onRemoved,
    onError: (error) => notifications.show({ title: t`Not removed`, message: errorText(error), 'data-tone': 'bad' }),
  });
  const ended = idsOf(isOver);

  const actionOf = (name: keyof typeof acts, word: string, why: (entry: LedgerEntry) => string | null) => {
    const fitting = idsOf((entry) => why(entry) === null);
    return {
      label: withCount(word, fitting),
      reason: whyNone(entries, why),
      run: () => act.mutate({ name, entryIds: fitting }),
    };
  };
  const cancel = actionOf('cancel', t`Cancel`, whyNoCancel);
  const retry = actionOf('retry', t`Retry`, noRetry);
  const isFree = !act.isPending;
  useCommands([
    isFree && cancel.reason === null && { label: t`Cancel the selected jobs`, run: cancel.run },
    isFree && retry.reason === null && { label: t`Retry the selected jobs`, run: retry.run },
    ended.length > 0 &&
      !remove.isPending && { label: t`Remove the selected jobs from this computer`, run: () => remove.mutate(ended) },
  ]);

  return (
    <>
      <SelectionBar label={t`Selected jobs`} count={countWords(chosen.size, cutFrom)} onClear={onClear}>
        {[cancel, retry].map(({ label, reason, run }) => (
          <ReasonButton
            key={label}
            size="xs"
            variant="default"
            whyNot={reason ?? (act.isPending ? t`The last action is still running.` : null)}
            onClick={run}
          >
            {label}
          </ReasonButton>
        ))}
        <TagMany entryIds={[...chosen.keys()]} />
        <ExportButton filter={filter} entryIds={[...chosen.keys()]} count={chosen.size} whyNot={null} />
        <ReasonButton
          size="xs"
          variant="default"
          whyNot={ended.length === 0 ? t`None of them has finished yet.` : null}
          loading={remove.isPending}
          onClick={() => remove.mutate(ended)}
        >
          {withCount(t`Remove`, ended)}
        </ReasonButton>
      </SelectionBar>
      {(outcomes.length > 0 || act.isError) && (
        <ul
          className={`${chosenBar.outcomes} ${styles.outcomes}`}
          aria-label={t`Result`}
          aria-live="polite"
          tabIndex={0}
        >
          {act.isError && <li>{errorText(act.error)}</li>}
          {outcomes.map(({ entryId, entry, problem }) => (
            <li key={entryId}>
              {entry ? <StateChip status={entry.status} /> : <b>{t`Not done`}</b>}
              <span>{wordsOf(chosen.get(entryId) ?? entry)}</span>
              {problem !== null && <em>{problem}</em>}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
