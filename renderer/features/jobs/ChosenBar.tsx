/** What can be done to the chosen jobs together, and how it went with each. */
import { useState } from 'react';
import { Button, Tooltip } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { JobOutcome, LedgerEntry, LedgerFilter } from '#contract/app/ledger.ts';
import { api, errorText } from '../../client/transport/orpc.ts';
import { formatCount } from '../../ui/text/format.ts';
import { StateChip } from '../../ui/domain/StateChip.tsx';
import { ConfirmDialog } from '../../ui/primitives/ConfirmDialog.tsx';
import { isOver } from '../../ui/job/timeline.ts';
import { useNow } from '../../ui/primitives/useNow.ts';
import { ExportButton } from './ExportButton.tsx';
import { whyNoCancel, whyNoRetry } from './jobActions.ts';
import styles from './jobs.module.css';

interface ChosenBarProps {
  chosen: ReadonlyMap<string, LedgerEntry>;
  filter: LedgerFilter;
  onClear: () => void;
  onRemoved: (entryIds: string[]) => void;
}

const MINUTE_MS = 60_000;

const acts = {
  cancel: { run: (entryIds: string[]) => api.jobs.cancelMany({ entryIds }), done: 'Cancelled' },
  retry: { run: (entryIds: string[]) => api.jobs.retryMany({ entryIds }), done: 'Retried' },
} as const;

/** Why none of them can be; null where one can. */
function whyNone(entries: LedgerEntry[], why: (entry: LedgerEntry) => string | null): string | null {
  const reasons = entries.map(why);
  if (reasons.includes(null)) return null;
  return new Set(reasons).size === 1 ? (reasons[0] ?? null) : 'It can be done to none of these.';
}

export function ChosenBar({ chosen, filter, onClear, onRemoved }: ChosenBarProps) {
  const now = useNow(MINUTE_MS);
  const [outcomes, setOutcomes] = useState<readonly JobOutcome[]>([]);
  const [asking, setAsking] = useState(false);
  const entries = [...chosen.values()];
  const idsOf = (fit: (entry: LedgerEntry) => boolean) => entries.filter(fit).map(({ entryId }) => entryId);
  const noRetry = (entry: LedgerEntry) => whyNoRetry(entry, now);

  const act = useMutation({
    mutationFn: async ({ name, entryIds }: { name: keyof typeof acts; entryIds: string[] }) => {
      setOutcomes([]);
      for await (const outcome of await acts[name].run(entryIds)) setOutcomes((before) => [...before, outcome]);
    },
  });
  const remove = useMutation({
    mutationFn: (entryIds: string[]) => api.jobs.forget({ entryIds }).then(() => entryIds),
    onSuccess: onRemoved,
    onSettled: () => setAsking(false),
  });
  const ended = idsOf(isOver);

  const button = (name: keyof typeof acts, word: string, why: (entry: LedgerEntry) => string | null) => {
    const fitting = idsOf((entry) => why(entry) === null);
    const reason = whyNone(entries, why);
    return (
      <Tooltip label={reason} disabled={reason === null} multiline w={260}>
        <span>
          <Button
            size="xs"
            variant="default"
            disabled={reason !== null || act.isPending}
            title={reason ?? ''}
            onClick={() => act.mutate({ name, entryIds: fitting })}
          >
            {word} {formatCount(fitting.length)}
          </Button>
        </span>
      </Tooltip>
    );
  };

  return (
    <>
      <div className={styles.bar} role="toolbar" aria-label="Chosen jobs">
        <span>
          <b>{formatCount(chosen.size)}</b> chosen
        </span>
        {button('cancel', 'Cancel', whyNoCancel)}
        {button('retry', 'Retry', noRetry)}
        <ExportButton filter={filter} entryIds={[...chosen.keys()]} whyNot={null} />
        <Button
          size="xs"
          variant="default"
          disabled={ended.length === 0}
          title={ended.length === 0 ? 'None of them has ended yet.' : ''}
          onClick={() => setAsking(true)}
        >
          Remove {formatCount(ended.length)}
        </Button>
        <Button size="xs" variant="subtle" onClick={onClear}>
          Choose none
        </Button>
      </div>
      {(outcomes.length > 0 || act.isError) && (
        <ul className={styles.outcomes} aria-label="How it went" aria-live="polite" tabIndex={0}>
          {act.isError && <li>{errorText(act.error)}</li>}
          {outcomes.map(({ entryId, entry, problem }) => (
            <li key={entryId}>
              <code>{chosen.get(entryId)?.jobId ?? entry?.jobId ?? entryId}</code>{' '}
              {entry ? <StateChip status={entry.status} /> : problem}
            </li>
          ))}
        </ul>
      )}
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        title={`Remove ${formatCount(ended.length)} ${ended.length === 1 ? 'job' : 'jobs'} from this computer?`}
        action="Remove"
        busy={remove.isPending}
        problem={remove.isError ? errorText(remove.error) : null}
        onConfirm={() => remove.mutate(ended)}
      >
        Their inputs, outputs and chunks are deleted here. The service is not asked. This cannot be undone.
      </ConfirmDialog>
    </>
  );
}
