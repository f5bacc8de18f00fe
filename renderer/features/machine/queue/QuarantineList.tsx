/** Jobs that were running when the engine crashed, twice: they wait until somebody lets them go on. */
import { useState } from 'react';
import { Button, Modal } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { SetAside } from '#contract/local/machine.ts';
import { api, errorText, orpc } from '../../../client/transport/orpc.ts';
import { navigate } from '../../../state/route.ts';
import { formatMoment } from '../../../ui/text/format.ts';
import { Id } from '../../../ui/primitives/Id.tsx';
import page from '../machine.module.css';
import styles from './queue.module.css';

const EVERY_MS = 5000;

interface SetAsideListProps {
  accountId: string;
  endpointNames: ReadonlyMap<string, string>;
}

export function SetAsideList({ accountId, endpointNames }: SetAsideListProps) {
  const { data } = useQuery(orpc.machine.setAside.queryOptions({ input: { accountId }, refetchInterval: EVERY_MS }));
  if (!data || data.length === 0) return null;
  return (
    <section className={styles.setAside} aria-label="Set aside">
      <h3>Set aside: {data.length}</h3>
      <p>{data.length === 1 ? 'It was' : 'They were'} running when the engine crashed, twice, and may be the reason.</p>
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

function Row({ accountId, job, endpoint }: { accountId: string; job: SetAside; endpoint: string }) {
  const queries = useQueryClient();
  const [asking, setAsking] = useState(false);
  const [looking, setLooking] = useState(false);
  const failed = (title: string) => (error: unknown) =>
    notifications.show({ title, message: errorText(error), 'data-tone': 'bad' });
  const again = () => queries.invalidateQueries({ queryKey: orpc.machine.key() });
  const release = useMutation({
    mutationFn: () => api.machine.release({ accountId, jobId: job.id }),
    onError: failed('It does not go on'),
    onSettled: again,
  });
  const cancel = useMutation({
    mutationFn: () => api.machine.cancel({ accountId, endpointId: job.endpointId, jobId: job.id }),
    onError: failed('Not cancelled'),
    onSettled: () => {
      setAsking(false);
      return again();
    },
  });
  return (
    <li>
      <Id text={job.id} what="job id" />
      <span className={page.quiet}>{endpoint}</span>
      <span className={styles.actions}>
        <Button size="xs" variant="default" aria-label={`Look at job ${job.id}`} onClick={() => setLooking(true)}>
          Look
        </Button>
        <Button
          size="xs"
          variant="default"
          aria-label={`Let job ${job.id} go on`}
          loading={release.isPending}
          onClick={() => release.mutate()}
        >
          Let it go on
        </Button>
        <Button size="xs" variant="default" aria-label={`Cancel job ${job.id}`} onClick={() => setAsking(true)}>
          Cancel
        </Button>
      </span>
      <Modal opened={looking} onClose={() => setLooking(false)} title="A job that was set aside" size={460}>
        <Look accountId={accountId} job={job} endpoint={endpoint} onLeave={() => setLooking(false)} />
      </Modal>
      <Modal opened={asking} onClose={() => setAsking(false)} title="Cancel this job?" size={400}>
        <p className={page.question}>It ends as cancelled and does not run again. This cannot be undone.</p>
        <div className={page.answers}>
          <Button variant="default" data-autofocus onClick={() => setAsking(false)}>
            Keep it
          </Button>
          <Button className={page.danger ?? ''} loading={cancel.isPending} onClick={() => cancel.mutate()}>
            Cancel the job
          </Button>
        </div>
      </Modal>
    </li>
  );
}

interface LookProps {
  accountId: string;
  job: SetAside;
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
        <dt>Job</dt>
        <dd>
          <Id text={job.id} what="job id" />
        </dd>
        <dt>Endpoint</dt>
        <dd>{endpoint}</dd>
        <dt>Sent</dt>
        <dd>{formatMoment(Date.parse(job.submittedAt))}</dd>
        <dt>Crashes</dt>
        <dd>{job.crashes}</dd>
      </dl>
      {entry ? (
        <div className={page.answers}>
          <Button
            variant="default"
            onClick={() => {
              onLeave();
              navigate({ page: 'jobs', entryId: entry.entryId });
            }}
          >
            Open it in Jobs
          </Button>
        </div>
      ) : (
        sent.isSuccess && <p className={page.quiet}>It was not sent from this page, so its input is not kept here.</p>
      )}
    </>
  );
}
