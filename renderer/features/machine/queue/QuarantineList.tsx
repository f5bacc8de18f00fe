/** Jobs that ran during two crashes of the engine: they wait until a person releases them. */
import { useState } from 'react';
import { Button, Modal } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { JobSetAside } from '#contract/bridge/machine.ts';
import { useStatePollMs } from '../../../client/changes/pushed.ts';
import { api, errorText, orpc } from '../../../client/transport/orpc.ts';
import { navigate } from '../../../state/route.ts';
import { formatMoment } from '../../../ui/text/format.ts';
import { ConfirmDialog } from '../../../ui/primitives/ConfirmDialog.tsx';
import { Id } from '../../../ui/primitives/Id.tsx';
import dialog from '../../../ui/theme/dialog.module.css';
import page from '../machine.module.css';
import { JobName } from './JobName.tsx';
import styles from './queue.module.css';
import { counted, t } from '../../../language/text.ts';

const EVERY_MS = 5000;

interface QuarantineListProps {
  accountId: string;
  endpointNames: ReadonlyMap<string, string>;
}

export function QuarantineList({ accountId, endpointNames }: QuarantineListProps) {
  const refetchInterval = useStatePollMs(accountId, EVERY_MS);
  const { data } = useQuery(orpc.machine.setAside.queryOptions({ input: { accountId }, refetchInterval }));
  if (!data || data.length === 0) return null;
  return (
    <section className={styles.setAside} aria-label={t`Set aside`}>
      <h3>{t`Set aside: ${data.length}`}</h3>
      <p>
        {counted(
          data.length,
          'It was running during two crashes of the engine and may have caused them.',
          'They were running during two crashes of the engine and may have caused them.',
        )}
      </p>
      <ul>
        {data.map((job) => (
          <Row
            key={job.id}
            accountId={accountId}
            job={job}
            endpoint={endpointNames.get(job.endpointId) ?? job.endpointId}
          />
        ))}
      </ul>
    </section>
  );
}

function Row({ accountId, job, endpoint }: { accountId: string; job: JobSetAside; endpoint: string }) {
  const queries = useQueryClient();
  const [asking, setAsking] = useState(false);
  const [looking, setLooking] = useState(false);
  const again = () => queries.invalidateQueries({ queryKey: orpc.machine.key() });
  const release = useMutation({
    mutationFn: () => api.machine.release({ accountId, jobId: job.id }),
    onError: (error) => notifications.show({ title: t`Not resumed`, message: errorText(error), 'data-tone': 'bad' }),
    onSettled: again,
  });
  const cancel = useMutation({
    mutationFn: () => api.machine.cancel({ accountId, endpointId: job.endpointId, jobId: job.id }),
    onSuccess: () => setAsking(false),
    onSettled: again,
  });
  const closeQuestion = () => {
    setAsking(false);
    cancel.reset();
  };
  return (
    <li>
      <JobName id={job.id} preview={job.preview} />
      <span className={page.quiet}>{endpoint}</span>
      <span className={styles.actions}>
        <Button
          size="xs"
          variant="default"
          aria-label={t`Open job ${job.id}`}
          onClick={() => setLooking(true)}
        >{t`Open`}</Button>
        <Button
          size="xs"
          variant="default"
          aria-label={t`Resume job ${job.id}`}
          loading={release.isPending}
          onClick={() => release.mutate()}
        >{t`Resume`}</Button>
        <Button
          size="xs"
          variant="default"
          aria-label={t`Cancel job ${job.id}`}
          onClick={() => setAsking(true)}
        >{t`Cancel`}</Button>
      </span>
      <Modal opened={looking} onClose={() => setLooking(false)} title={t`Job set aside`} size={460}>
        <Look accountId={accountId} job={job} endpoint={endpoint} onLeave={() => setLooking(false)} />
      </Modal>
      <ConfirmDialog
        opened={asking}
        onClose={closeQuestion}
        title={t`Cancel this job?`}
        action={t`Cancel the job`}
        dismiss={t`Keep it`}
        busy={cancel.isPending}
        problem={cancel.isError ? errorText(cancel.error) : null}
        onConfirm={() => cancel.mutate()}
      >{t`The job is cancelled and does not run again. This cannot be undone.`}</ConfirmDialog>
    </li>
  );
}

interface LookProps {
  accountId: string;
  job: JobSetAside;
  endpoint: string;
  onLeave: () => void;
}

function Look({ accountId, job, endpoint, onLeave }: LookProps) {
  const input = { filter: { accountId, text: job.id }, offset: 0, limit: 5 };
  const sent = useQuery(orpc.jobs.list.queryOptions({ input }));
  const entry = sent.data?.entries.find(({ jobId }) => jobId === job.id);
  return (
    <>
      <dl className={page.facts}>
        <dt>{t`Job`}</dt>
        <dd>
          <Id text={job.id} copyLabel={t`Copy job id`} />
        </dd>
        <dt>{t`Endpoint`}</dt>
        <dd>{endpoint}</dd>
        <dt>{t`Sent`}</dt>
        <dd>{formatMoment(Date.parse(job.submittedAt))}</dd>
        <dt>{t`Crashes`}</dt>
        <dd>{job.crashes}</dd>
      </dl>
      {entry ? (
        <div className={dialog.answers}>
          <Button
            variant="default"
            onClick={() => {
              onLeave();
              navigate({ page: 'jobs', entryId: entry.entryId });
            }}
          >{t`Open it in Jobs`}</Button>
        </div>
      ) : (
        sent.isSuccess && (
          <p className={page.quiet}>{t`Its input is not available, because it was not sent from here.`}</p>
        )
      )}
    </>
  );
}
