/** The size of the ledger, its retention, and the jobs that it removed. */
import { useState } from 'react';
import { Button, NumberInput, Skeleton } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { limits } from '#contract/core/limits.ts';
import { ledgerStatuses, type LedgerStatus } from '#contract/app/ledger.ts';
import { type Keeping, type LedgerStorage, type PruneReason } from '#contract/app/jobs/keeping.ts';
import { api, errorText, orpc, queryClient } from '../../../client/transport/orpc.ts';
import { stateFilters } from '../../../state/jobsFilter.ts';
import { Unknown } from '../../../ui/domain/LoadError.tsx';
import { StaleNotice } from '../../../ui/domain/StaleNotice.tsx';
import { announce } from '../../../ui/primitives/announce.tsx';
import { ConfirmDialog } from '../../../ui/primitives/ConfirmDialog.tsx';
import { Fact, Facts } from '../../../ui/primitives/DescriptionList.tsx';
import { formatCount, formatMoment } from '../../../ui/text/format.ts';
import { Notice } from '../../../ui/primitives/Notice.tsx';
import styles from '../settings.module.css';
import { placeSize } from '../storage/placeWords.ts';
import { usePlaces } from '../storage/usePlaces.ts';
import { createFormDrafts, useDraft } from '../../../ui/form/formDrafts.ts';
import { cutOff, keepingOf, problemsOf, typedOf, whatGoes } from './bounds.ts';
import { ReasonButton } from '../../../ui/popover/ReasonButton.tsx';
import { counted, t } from '../../../language/text.ts';

const EVERY_MS = 10_000;

const options = orpc.ledger.storage.queryOptions({ refetchInterval: EVERY_MS, retry: false });
const reasons: Record<PruneReason, (jobs: string, at: string) => string> = {
  age: (jobs, at) => t`${jobs} that were too old, ${at}`,
  size: (jobs, at) => t`${jobs} because the record was too large, ${at}`,
};
const open: readonly LedgerStatus[] = stateFilters.open.statuses;
const ended = ledgerStatuses.filter((status) => !open.includes(status));

export function LedgerBlock() {
  const { data, dataUpdatedAt, isError, error, refetch } = useQuery(options);
  return (
    <section className={styles.block} aria-labelledby="ledger" aria-busy={(!data && !isError) || undefined}>
      <h2 id="ledger">{t`Record of jobs`}</h2>
      <p>{t`Every job that was sent from here or ran here, with its input and output, even after the service has deleted it. Unfinished jobs are never removed. Before new limits remove jobs, Hangar asks.`}</p>
      {isError && data && (
        <StaleNotice
          source="app"
          at={dataUpdatedAt}
          problem={errorText(error)}
          retry={() => void refetch()}
        >{t`These are the last known numbers.`}</StaleNotice>
      )}
      {isError && !data && (
        <Unknown
          source="app"
          title={t`The record of jobs could not be read.`}
          problem={errorText(error)}
          action={<Button size="xs" variant="default" onClick={() => void refetch()}>{t`Try again`}</Button>}
        />
      )}
      {!data && !isError && <Skeleton h={60} m={14} radius={6} w="auto" />}
      {data && (
        <>
          <Facts>
            <Fact name={t`Jobs`}>{formatCount(data.jobs)}</Fact>
            <Fact name={t`Size`}>
              <FileSize />
            </Fact>
            <Fact name={t`Oldest`}>
              {data.oldestSentAt === null ? t`none yet` : t`sent ${formatMoment(data.oldestSentAt)}`}
            </Fact>
            <Fact name={t`Last removed`}>
              {data.lastPrune === null
                ? t`never`
                : reasons[data.lastPrune.reason](
                    counted(data.lastPrune.jobs, '{0} job', '{0} jobs', formatCount(data.lastPrune.jobs)),
                    formatMoment(data.lastPrune.at),
                  )}
            </Fact>
          </Facts>
          <Bounds key={JSON.stringify(data.keeping)} storage={data} />
        </>
      )}
    </section>
  );
}

/** The size on the disk, as the list of all places has it. */
function FileSize() {
  const { data } = usePlaces();
  const place = data?.places.find(({ kind }) => kind === 'ledger');
  if (place !== undefined) return placeSize(place);
  return data?.isDone === true ? t`unknown` : <Skeleton h={10} w={60} radius={4} />;
}

/** The number of ended jobs that were sent before that time. */
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

const defaults = typedOf({ retentionDays: null, capBytes: limits.ledger.capBytes.default });
const boundsDrafts = createFormDrafts<ReturnType<typeof typedOf>>();

function Bounds({ storage }: { storage: LedgerStorage }) {
  const [typed, setTyped] = useDraft(boundsDrafts, '', typedOf(storage.keeping));
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
      announce(t`Saved`);
      void queryClient.invalidateQueries({ queryKey: orpc.data.places.key() });
      return queryClient.invalidateQueries({ queryKey: orpc.jobs.key() });
    },
  });
  const check = useMutation({
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
  const failure = check.error ?? (question === null ? keep.error : null);
  return (
    <>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isChanged && isSound && !check.isPending && !keep.isPending) check.mutate(keeping);
        }}
      >
        <div className={styles.fields}>
          <NumberInput
            label={t`Keep jobs for`}
            suffix={` ${t`days`}`}
            placeholder={t`no limit`}
            hideControls
            allowDecimal={false}
            allowNegative={false}
            value={typed.days}
            error={problems.days}
            description={t`After they finish`}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            onChange={(days) => setTyped({ ...typed, days })}
          />
          <NumberInput
            label={t`Keep at most`}
            suffix=" GB"
            placeholder={t`no limit`}
            hideControls
            allowNegative={false}
            decimalScale={4}
            value={typed.gigabytes}
            error={problems.gigabytes}
            description={t`Default: ${defaults.gigabytes} GB; the oldest are removed first`}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            onChange={(gigabytes) => setTyped({ ...typed, gigabytes })}
          />
        </div>
        {failure !== null && (
          <Notice tone="bad" title={t`Not saved.`}>
            {errorText(failure)}
          </Notice>
        )}
        <div className={styles.actions}>
          <ReasonButton
            size="xs"
            type="submit"
            variant="default"
            whyNot={!isSound ? t`Correct the marked fields first` : !isChanged ? t`Nothing has changed.` : null}
            loading={check.isPending || (keep.isPending && question === null)}
          >{t`Save`}</ReasonButton>
        </div>
      </form>
      {/* Beside the form, because React would also send the dialog's submit to the form. */}
      <ConfirmDialog
        opened={question !== null}
        onClose={() => setQuestion(null)}
        title={t`Remove jobs from the record?`}
        action={t`Save and remove them`}
        busy={keep.isPending}
        problem={keep.isError ? errorText(keep.error) : null}
        onConfirm={() => question !== null && keep.mutate(question.keeping)}
      >
        <p>{t`With these limits, the following is removed now, with inputs and results. It cannot be restored:`}</p>
        <ul>
          {question?.goes.map((one) => (
            <li key={one}>{one}</li>
          ))}
        </ul>
      </ConfirmDialog>
    </>
  );
}
