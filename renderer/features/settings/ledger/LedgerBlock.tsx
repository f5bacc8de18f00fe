/** What the ledger keeps now, what bounds that, and what was removed by itself. */
import { useState } from 'react';
import { Button, NumberInput, Skeleton } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { limits } from '#contract/core/limits.ts';
import {
  ledgerStatuses,
  type Keeping,
  type LedgerStatus,
  type LedgerStorage,
  type PruneReason,
} from '#contract/app/ledger.ts';
import { api, errorText, orpc, queryClient } from '../../../client/transport/orpc.ts';
import { stateFilters } from '../../../state/jobsFilter.ts';
import { announce } from '../../../ui/primitives/announce.tsx';
import { ConfirmDialog } from '../../../ui/primitives/ConfirmDialog.tsx';
import { Fact, Facts } from '../../../ui/primitives/DescriptionList.tsx';
import { formatBytes, formatCount, formatMemory, formatMoment } from '../../../ui/text/format.ts';
import { Notice } from '../../../ui/primitives/Notice.tsx';
import styles from '../settings.module.css';
import { cutOff, keepingOf, problemsOf, typedOf, whatGoes } from './bounds.ts';

const EVERY_MS = 10_000;
const MB = 1024 * 1024;

const options = orpc.ledger.storage.queryOptions({ refetchInterval: EVERY_MS, retry: false });
const reasons: Record<PruneReason, string> = {
  age: 'that had ended too long ago',
  size: 'because all of them took too much room',
};
const open: readonly LedgerStatus[] = stateFilters.open.statuses;
const ended = ledgerStatuses.filter((status) => !open.includes(status));

export function LedgerBlock() {
  const { data, isError, error, isFetching, refetch } = useQuery(options);
  return (
    <section className={styles.block} aria-labelledby="ledger">
      <h2 id="ledger">What the ledger keeps</h2>
      <p>
        Every job sent from here, with its input and all that came back, also after its service has forgotten it. What
        has not ended is never removed.
      </p>
      {isError && (
        <Notice
          tone="wait"
          title={data ? 'Not as it is now.' : 'The ledger could not be asked.'}
          action={
            <Button size="xs" variant="default" loading={isFetching} onClick={() => void refetch()}>
              Try again
            </Button>
          }
        >
          {errorText(error)}
        </Notice>
      )}
      {!data && !isError && <Skeleton h={60} m={14} radius={6} w="auto" />}
      {data && (
        <>
          <Facts>
            <Fact name="Jobs">{formatCount(data.jobs)}</Fact>
            <Fact name="Size">
              {data.usedBytes < 100 * MB ? formatBytes(data.usedBytes) : formatMemory(data.usedBytes)}
            </Fact>
            <Fact name="Oldest">
              {data.oldestSentAt === null ? 'there is none yet' : `sent ${formatMoment(data.oldestSentAt)}`}
            </Fact>
            <Fact name="Last removed">
              {data.lastPrune === null
                ? 'nothing, ever'
                : `${formatCount(data.lastPrune.jobs)} ${data.lastPrune.jobs === 1 ? 'job' : 'jobs'} ${reasons[data.lastPrune.reason]}, ${formatMoment(data.lastPrune.at)}`}
            </Fact>
          </Facts>
          <Bounds key={JSON.stringify(data.keeping)} storage={data} />
        </>
      )}
    </section>
  );
}

/** Of the ended jobs, how many were sent before that moment. */
async function endedBefore(moment: number): Promise<number> {
  const count = async (sentAfter?: number) =>
    (
      await api.jobs.list({
        filter: { statuses: ended, ...(sentAfter !== undefined && { sentAfter }) },
        offset: 0,
        limit: 1,
      })
    ).matching;
  const [all, later] = await Promise.all([count(), count(moment)]);
  return all - later;
}

function Bounds({ storage }: { storage: LedgerStorage }) {
  const [typed, setTyped] = useState(typedOf(storage.keeping));
  const [question, setQuestion] = useState<{ keeping: Keeping; goes: string[] } | null>(null);
  const keeping = keepingOf(typed);
  const problems = problemsOf(keeping);
  const isChanged = JSON.stringify(keeping) !== JSON.stringify(storage.keeping);
  const isSound = problems.days === null && problems.gigabytes === null;
  const keep = useMutation({
    mutationFn: (wanted: Keeping) => api.ledger.keep(wanted),
    onSuccess: (now) => {
      setQuestion(null);
      queryClient.setQueryData(options.queryKey, now);
      announce('Saved');
      return queryClient.invalidateQueries({ queryKey: orpc.jobs.key() });
    },
  });
  const look = useMutation({
    mutationFn: async (wanted: Keeping) => {
      const now = Date.now();
      const before = cutOff(wanted, now);
      return whatGoes(wanted, storage, before === null ? 0 : await endedBefore(before), now);
    },
    onSuccess: (goes, wanted) => {
      if (goes.length === 0) keep.mutate(wanted);
      else setQuestion({ keeping: wanted, goes });
    },
  });
  const failure = look.error ?? (question === null ? keep.error : null);
  return (
    <>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isChanged && isSound && !look.isPending && !keep.isPending) look.mutate(keeping);
        }}
      >
        <div className={styles.fields}>
          <NumberInput
            label="Keep jobs for"
            suffix=" days"
            placeholder="as long as there is room"
            hideControls
            allowDecimal={false}
            allowNegative={false}
            value={typed.days}
            error={problems.days}
            description="Counted from their end"
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            onChange={(days) => setTyped({ ...typed, days })}
          />
          <NumberInput
            label="Keep at most"
            suffix=" GB"
            placeholder="no limit"
            hideControls
            allowNegative={false}
            decimalScale={4}
            value={typed.gigabytes}
            error={problems.gigabytes}
            description={`Usually ${formatMemory(limits.ledger.capBytes.default)}; what ended first goes`}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            onChange={(gigabytes) => setTyped({ ...typed, gigabytes })}
          />
        </div>
        {failure !== null && (
          <Notice tone="bad" title="Not saved.">
            {errorText(failure)}
          </Notice>
        )}
        <div className={styles.actions}>
          <Button
            size="xs"
            type="submit"
            variant="default"
            disabled={!isChanged || !isSound}
            loading={look.isPending || (keep.isPending && question === null)}
          >
            Save what is kept
          </Button>
        </div>
      </form>
      {/* Beside the form: React would take its answer to the form as well. */}
      <ConfirmDialog
        opened={question !== null}
        onClose={() => setQuestion(null)}
        title="Remove jobs from the ledger?"
        action="Save and remove them"
        busy={keep.isPending}
        problem={keep.isError ? errorText(keep.error) : null}
        onConfirm={() => question !== null && keep.mutate(question.keeping)}
      >
        <p>With these bounds this goes now, with inputs and results, and cannot be brought back from here:</p>
        <ul>
          {question?.goes.map((one) => (
            <li key={one}>{one}</li>
          ))}
        </ul>
      </ConfirmDialog>
    </>
  );
}
