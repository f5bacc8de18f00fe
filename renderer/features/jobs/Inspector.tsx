/** Everything about one job, beside the list. */
import { useState } from 'react';
import { ActionIcon, Button, Modal, Tooltip } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, RotateCcw, Square, Trash2, X } from 'lucide-react';
import type { LedgerEntry } from '#contract/app/ledger.ts';
import { useJobWatch } from '../../client/jobWatch.ts';
import { api, errorText, orpc } from '../../client/transport/orpc.ts';
import { draftKey, setDraft, setMode } from '../../state/drafts.ts';
import { navigate } from '../../state/route.ts';
import { chooseAccount } from '../../state/selection.ts';
import { accountInSentence } from '../../ui/text/accountName.ts';
import { announce } from '../../ui/primitives/announce.tsx';
import { Card } from '../../ui/primitives/Card.tsx';
import { formatBytes, formatMoment } from '../../ui/text/format.ts';
import { Id } from '../../ui/primitives/Id.tsx';
import { JobSummary } from '../../ui/job/JobSummary.tsx';
import { JobTabs } from '../../ui/job/JobTabs.tsx';
import { indentJson } from '../../ui/job/jsonText.ts';
import { TextView } from '../../ui/job/TextView.tsx';
import { isOver, noIdWords } from '../../ui/job/timeline.ts';
import { Empty } from '../../ui/primitives/Notice.tsx';
import { useNow } from '../../ui/primitives/useNow.ts';
import { isKeptHereOnly, KEPT_HERE_WORDS, whyNoRetry } from './jobActions.ts';
import styles from './jobs.module.css';
import { SendAgain } from './SendAgain.tsx';
import { RequestsTab, WebhooksTab } from './ServiceTabs.tsx';

const MINUTE_MS = 60_000;

interface InspectorProps {
  entryId: string;
  onClose: () => void;
  onRemoved: (entryId: string) => void;
}

export function Inspector({ entryId, onClose, onRemoved }: InspectorProps) {
  const job = useJobWatch(entryId);
  const detail = useQuery(orpc.jobs.get.queryOptions({ input: { entryId }, retry: false }));
  const entry = job?.entry ?? null;
  const now = useNow(MINUTE_MS);
  if (job?.missing) {
    return (
      <Card grow aria-label="Job" role="region">
        <InspectorHead title="Job" onClose={onClose} />
        <Empty title="This job is not here">{job.missing}</Empty>
      </Card>
    );
  }
  if (entry === null) {
    return (
      <Card grow aria-label="Job" role="region" aria-busy>
        <InspectorHead title="" onClose={onClose} />
      </Card>
    );
  }
  return (
    <Card grow aria-label="Job" role="region">
      <InspectorHead title={entry.endpointName} entry={entry} onClose={onClose} />
      <JobSummary entry={entry} actions={<Actions entry={entry} body={detail.data?.body} onRemoved={onRemoved} />} />
      <dl className={styles.facts}>
        <dt>Job</dt>
        <dd>{entry.jobId === null ? noIdWords(entry) : <Id text={entry.jobId} what="job id" />}</dd>
        <dt>Endpoint</dt>
        <dd>
          <Id text={entry.endpointId} what="endpoint id" />
        </dd>
        {entry.workerId !== null && (
          <>
            <dt>Worker</dt>
            <dd>
              <Id text={entry.workerId} what="worker id" />
            </dd>
          </>
        )}
        {isKeptHereOnly(entry, now) && (
          <>
            <dt>Kept</dt>
            <dd>
              <span className={styles.badge} title={KEPT_HERE_WORDS}>
                gone at the service
              </span>
            </dd>
          </>
        )}
        <dt>Sent</dt>
        <dd>
          {formatMoment(entry.sentAt)} to {accountInSentence(entry.accountId, entry.accountName)}
        </dd>
        <dt>Size</dt>
        <dd>
          {formatBytes(entry.inputBytes)} in, {formatBytes(entry.outputBytes)} out
        </dd>
      </dl>
      <div className={styles.tabs}>
        <JobTabs
          key={entryId}
          entry={entry}
          chunks={job?.chunks ?? []}
          output={job?.output ?? null}
          extras={[
            { name: 'Input', content: <TextView text={indentJson(detail.data?.body ?? '')} what="input" /> },
            { name: 'Requests', content: <RequestsTab entry={entry} /> },
            { name: 'Webhooks', content: <WebhooksTab entry={entry} /> },
          ]}
        />
      </div>
    </Card>
  );
}

interface InspectorHeadProps {
  title: string;
  entry?: LedgerEntry;
  onClose: () => void;
}

function InspectorHead({ title, entry, onClose }: InspectorHeadProps) {
  const copyLink = () => {
    void navigator.clipboard.writeText(location.href).then(() => announce('Copied link'));
  };
  return (
    <header className={styles.inspectorHead}>
      <h2>{title}</h2>
      {entry && (
        <Tooltip label="Copy the link to this job">
          <ActionIcon aria-label="Copy the link to this job" onClick={copyLink}>
            <Link size={13} aria-hidden />
          </ActionIcon>
        </Tooltip>
      )}
      <Tooltip label="Close (Esc)">
        <ActionIcon aria-label="Close the job" onClick={onClose}>
          <X size={14} aria-hidden />
        </ActionIcon>
      </Tooltip>
    </header>
  );
}

interface ActionsProps {
  entry: LedgerEntry;
  /** Undefined until it is read. */
  body: string | undefined;
  onRemoved: (entryId: string) => void;
}

function Actions({ entry, body, onRemoved }: ActionsProps) {
  const [asking, setAsking] = useState(false);
  const fail = (title: string) => (error: unknown) =>
    notifications.show({ title, message: errorText(error), 'data-tone': 'bad' });
  const cancel = useMutation({
    mutationFn: () => api.jobs.cancel({ entryId: entry.entryId }),
    onError: fail('Not cancelled'),
  });
  const retry = useMutation({
    mutationFn: () => api.jobs.retry({ entryId: entry.entryId }),
    onSuccess: ({ entryId }) => navigate({ page: 'jobs', entryId }),
    onError: fail('Not queued again'),
  });
  const noRetry = whyNoRetry(entry, useNow(MINUTE_MS));
  const remove = useMutation({
    mutationFn: () => api.jobs.forget({ entryIds: [entry.entryId] }),
    onSuccess: () => onRemoved(entry.entryId),
    onError: fail('Not removed'),
    onSettled: () => setAsking(false),
  });
  const runAgain = () => {
    if (body === undefined) return;
    chooseAccount(entry.accountId);
    const key = draftKey(entry.accountId, entry.endpointId);
    setDraft(key, body);
    setMode(key, entry.mode);
    navigate({ page: 'run', endpointId: entry.endpointId });
  };
  return (
    <>
      {!isOver(entry) && (
        <Button
          size="xs"
          variant="default"
          leftSection={<Square size={10} fill="currentColor" aria-hidden />}
          loading={cancel.isPending}
          onClick={() => cancel.mutate()}
        >
          Cancel
        </Button>
      )}
      {entry.status === 'UNANSWERED' ? (
        <SendAgain entry={entry} body={body} onEdit={runAgain} />
      ) : (
        <Button
          size="xs"
          variant="default"
          leftSection={<RotateCcw size={12} aria-hidden />}
          disabled={body === undefined}
          onClick={runAgain}
        >
          Run again
        </Button>
      )}
      {isOver(entry) && entry.status !== 'UNANSWERED' && (
        <Tooltip label={noRetry ?? 'The service queues it once more, with the same input'} multiline w={260}>
          <Button
            size="xs"
            variant="default"
            data-disabled={noRetry !== null}
            aria-disabled={noRetry !== null}
            loading={retry.isPending}
            onClick={() => noRetry === null && retry.mutate()}
          >
            Retry
          </Button>
        </Tooltip>
      )}
      {isOver(entry) && (
        <Tooltip label="Remove from this computer">
          <ActionIcon size={26} aria-label="Remove from this computer" onClick={() => setAsking(true)}>
            <Trash2 size={14} aria-hidden />
          </ActionIcon>
        </Tooltip>
      )}
      <Modal opened={asking} onClose={() => setAsking(false)} title="Remove this job from this computer?" size={420}>
        <p className={styles.question}>
          Its input, its output and all its chunks are deleted here. The service is not asked. This cannot be undone.
        </p>
        <div className={styles.answers}>
          <Button variant="default" data-autofocus onClick={() => setAsking(false)}>
            Keep
          </Button>
          <Button className={styles.danger ?? ''} loading={remove.isPending} onClick={() => remove.mutate()}>
            Remove
          </Button>
        </div>
      </Modal>
    </>
  );
}
