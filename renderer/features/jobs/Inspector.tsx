/** Everything about one job, beside the list. */
import { useState } from 'react';
import { ActionIcon, Tooltip } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, X } from 'lucide-react';
import { isOver } from '#contract/app/jobs/times.ts';
import type { LedgerEntry } from '#contract/app/ledger.ts';
import { useAway } from '../../client/away.ts';
import { useJobChanges } from '../../client/jobs/jobChanges.ts';
import { useJobWatch } from '../../client/jobs/jobWatch.ts';
import { orpc } from '../../client/transport/orpc.ts';
import { useCommands } from '../../state/commands.ts';
import { copyLink } from '../../ui/page/copyLink.ts';
import { useOpenName } from '../../ui/page/PageTitle.tsx';
import { Card } from '../../ui/primitives/Card.tsx';
import { JobSummary } from '../../ui/job/JobSummary.tsx';
import { JobTabs } from '../../ui/job/JobTabs.tsx';
import { indentJson } from '../../ui/job/jsonText.ts';
import { TextView } from '../../ui/job/TextView.tsx';
import { BackLater } from '../../ui/domain/LoadError.tsx';
import { Empty } from '../../ui/primitives/Notice.tsx';
import { BatchLink } from './inspector/BatchLink.tsx';
import { AttemptsTab } from './inspector/AttemptsTab.tsx';
import { JobActions } from './inspector/JobActions.tsx';
import { JobFacts } from './inspector/JobFacts.tsx';
import { UndeliveredWebhook } from './inspector/UndeliveredWebhook.tsx';
import { titleOf } from '../../ui/domain/jobText.ts';
import styles from './jobs.module.css';
import { RequestsTab, WebhooksTab } from './ServiceTabs.tsx';
import { t } from '../../language/text.ts';

interface InspectorProps {
  entryId: string;
  onClose: () => void;
  onRemoved: (entryId: string) => void;
}

export function Inspector({ entryId, onClose, onRemoved }: InspectorProps) {
  const job = useJobWatch(entryId);
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
  return (
    <Card grow aria-label={t`Job`} role="region">
      <InspectorHead title={titleOf(entry)} entry={entry} onClose={onClose} />
      <BatchLink entry={entry} />
      <div className={styles.body}>
        <JobSummary
          hasFactsBelow
          entry={entry}
          actions={<JobActions key={entryId} entry={entry} body={body.data} onRemoved={onRemoved} />}
        />
        <UndeliveredWebhook entry={entry} />
        <JobFacts entry={entry} />
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
  useOpenName(entry === undefined ? '' : `${title} · ${entry.endpointName}`);
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
