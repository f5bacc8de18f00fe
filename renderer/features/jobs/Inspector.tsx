/** Everything about one job, beside the list. */
import { useEffect, useState } from 'react';
import { ActionIcon, Anchor, Tooltip } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, X } from 'lucide-react';
import { THIS_MACHINE } from '#contract/app/account.ts';
import type { LedgerEntry } from '#contract/app/ledger.ts';
import { useIsRemoved } from '../../client/accounts.ts';
import { useAway } from '../../client/away.ts';
import { useJobChanges } from '../../client/jobs/jobChanges.ts';
import { useJobWatch } from '../../client/jobs/jobWatch.ts';
import { orpc } from '../../client/transport/orpc.ts';
import { useCommands } from '../../state/commands.ts';
import { formatRoute } from '../../state/routePath.ts';
import { accountInSentence } from '../../ui/text/accountName.ts';
import { copyLink } from '../../ui/page/copyLink.ts';
import { Card } from '../../ui/primitives/Card.tsx';
import { formatBytes, formatMoment } from '../../ui/text/format.ts';
import { Id } from '../../ui/primitives/Id.tsx';
import { JobSummary } from '../../ui/job/JobSummary.tsx';
import { JobTabs } from '../../ui/job/JobTabs.tsx';
import { indentJson } from '../../ui/job/jsonText.ts';
import { TextView } from '../../ui/job/TextView.tsx';
import { loadJsonViews } from '../../ui/output/PartView.tsx';
import { isOver, noIdWords } from '../../ui/job/timeline.ts';
import { BackLater } from '../../ui/domain/LoadError.tsx';
import { Empty } from '../../ui/primitives/Notice.tsx';
import { useNow } from '../../ui/primitives/useNow.ts';
import { AttemptsTab } from './inspector/AttemptsTab.tsx';
import { JobActions } from './inspector/JobActions.tsx';
import { UndeliveredWebhook } from './inspector/UndeliveredWebhook.tsx';
import { Tags } from './inspector/Tags.tsx';
import { isOnlyStoredHere, ONLY_STORED_HERE } from './jobActions.ts';
import { sourceWords, titleOf } from '../../ui/domain/jobText.ts';
import styles from './jobs.module.css';
import { RequestsTab, WebhooksTab } from './ServiceTabs.tsx';
import { t } from '../../language/text.ts';

const MINUTE_MS = 60_000;

interface InspectorProps {
  entryId: string;
  onClose: () => void;
  onRemoved: (entryId: string) => void;
}

export function Inspector({ entryId, onClose, onRemoved }: InspectorProps) {
  const job = useJobWatch(entryId);
  useEffect(loadJsonViews, []);
  const away = useAway('app');
  const body = useQuery(orpc.jobs.body.queryOptions({ input: { entryId }, retry: false }));
  /** The watch ends with the job; what a person changes later comes with the changes of the list. */
  const [later, setLater] = useState<LedgerEntry | null>(null);
  useJobChanges((entries) => {
    const changed = entries.find((one) => one.entryId === entryId);
    if (changed) setLater(changed);
  });
  const watched = job?.entry ?? null;
  const entry = watched && later && isOver(watched) ? later : watched;
  const now = useNow(MINUTE_MS);
  const isRemoved = useIsRemoved()(entry?.accountId ?? THIS_MACHINE);
  // Those of a script are not known here, only what Hangar asked about its job.
  const isOfScript = entry?.source === 'api';
  const requests = useQuery(orpc.jobs.requests.queryOptions({ input: { entryId }, enabled: isOfScript, retry: false }));
  const hasRequests = !isOfScript || (requests.data ?? []).length > 0;
  if (job?.missing) {
    return (
      <Card grow aria-label={t`Job`} role="region">
        <InspectorHead title={t`Job`} onClose={onClose} />
        <Empty title={t`Job not found`}>{job.missing}</Empty>
      </Card>
    );
  }
  if (entry === null) {
    return (
      <Card grow aria-label={t`Job`} role="region" aria-busy={away === null || undefined}>
        <InspectorHead title="" onClose={onClose} />
        {away !== null && <BackLater away={away} />}
      </Card>
    );
  }
  const sentTo = accountInSentence(entry.accountId, entry.accountName);
  return (
    <Card grow aria-label={t`Job`} role="region">
      <InspectorHead title={titleOf(entry)} entry={entry} onClose={onClose} />
      <div className={styles.body}>
        <JobSummary
          namesWorker={false}
          entry={entry}
          actions={<JobActions key={entryId} entry={entry} body={body.data} onRemoved={onRemoved} />}
        />
        <UndeliveredWebhook entry={entry} />
        <dl className={styles.facts}>
          <dt>{t`Job`}</dt>
          <dd>{entry.jobId === null ? noIdWords(entry) : <Id text={entry.jobId} copyLabel={t`Copy job id`} />}</dd>
          <dt>{t`Endpoint`}</dt>
          <dd>
            <span className={styles.name}>{entry.endpointName}</span>
            <Id text={entry.endpointId} copyLabel={t`Copy endpoint id`} />
          </dd>
          <dt>{t`Source`}</dt>
          <dd>{sourceWords(entry)}</dd>
          {entry.retryOf !== null && (
            <>
              <dt>{t`Retry of`}</dt>
              <dd>
                <Anchor
                  fz="inherit"
                  underline="always"
                  href={formatRoute({ page: 'jobs', entryId: entry.retryOf })}
                >{t`the earlier job`}</Anchor>
              </dd>
            </>
          )}
          {entry.workerId !== null && (
            <>
              <dt>{t`Worker`}</dt>
              <dd>
                <Id text={entry.workerId} copyLabel={t`Copy worker id`} />
              </dd>
            </>
          )}
          {isOnlyStoredHere(entry, now) && (
            <>
              <dt>{t`Kept`}</dt>
              <dd>
                <span title={ONLY_STORED_HERE}>{t`Here. The service has removed its copy.`}</span>
              </dd>
            </>
          )}
          <dt>{t`Sent`}</dt>
          <dd>
            {isRemoved
              ? t`${formatMoment(entry.sentAt)} to ${sentTo} (removed)`
              : t`${formatMoment(entry.sentAt)} to ${sentTo}`}
          </dd>
          <dt>{t`Tags`}</dt>
          <dd>
            <Tags entry={entry} />
          </dd>
          <dt>{t`Size`}</dt>
          <dd>{t`${formatBytes(entry.inputBytes)} in, ${formatBytes(entry.outputBytes)} out`}</dd>
        </dl>
        <div className={styles.tabs}>
          <JobTabs
            key={entryId}
            entry={entry}
            chunks={job?.chunks ?? []}
            output={job?.output ?? null}
            pendingOutput={job?.pendingOutput ?? null}
            extras={[
              {
                name: t`Input`,
                content: <InputText body={body.data ?? ''} />,
              },
              ...(entry.retries > 0 ? [{ name: t`Attempts`, content: <AttemptsTab entry={entry} /> }] : []),
              ...(hasRequests ? [{ name: t`Requests`, content: <RequestsTab entry={entry} /> }] : []),
              { name: t`Webhooks`, content: <WebhooksTab entry={entry} /> },
            ]}
          />
        </div>
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
  useCommands([entry !== undefined && { label: t`Copy the link to this job`, run: copyLink }]);
  return (
    <header className={styles.inspectorHead}>
      <h2>{title}</h2>
      {entry && (
        <Tooltip label={t`Copy the link to this job`}>
          <ActionIcon aria-label={t`Copy the link to this job`} onClick={copyLink}>
            <Link size={13} aria-hidden />
          </ActionIcon>
        </Tooltip>
      )}
      <Tooltip label={t`Close (Esc)`}>
        <ActionIcon aria-label={t`Close the job`} onClick={onClose}>
          <X size={14} aria-hidden />
        </ActionIcon>
      </Tooltip>
    </header>
  );
}

const InputText = ({ body }: { body: string }) => (
  <TextView text={indentJson(body)} what={t`input`} copyLabel={t`Copy input`} language="JSON" />
);
