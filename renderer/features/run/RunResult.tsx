/** The right side of Run: the job that is shown, from its state to its last chunk. */
import { useEffect, useState } from 'react';
import { Button, Kbd, Skeleton } from '@mantine/core';
import { isOver } from '#contract/app/jobs/times.ts';
import type { EndpointSummary } from '#contract/bridge/index.ts';
import { useCommands } from '../../state/commands.ts';
import { navigate } from '../../state/route.ts';
import { Square } from 'lucide-react';
import { useAway } from '../../client/away.ts';
import type { WatchedJob } from '../../client/jobs/jobWatch.ts';
import { resumeEndpoint } from '../../ui/endpoint/endpointPause.ts';
import { isPaused } from '../../ui/text/endpointState.ts';
import { announce } from '../../ui/primitives/announce.tsx';
import { Card } from '../../ui/primitives/Card.tsx';
import { JobSummary } from '../../ui/job/JobSummary.tsx';
import { JobTabs } from '../../ui/job/JobTabs.tsx';
import { loopWords } from '../../ui/text/loopLabels.ts';
import { keyLabel } from '../../ui/keyboard/shortcuts.ts';
import { Empty } from '../../ui/primitives/Notice.tsx';
import { BackLater } from '../../ui/domain/LoadError.tsx';
import { stateStyles } from '../../ui/domain/StateChip.tsx';
import styles from './run.module.css';
import { UseItsInput } from './UseItsInput.tsx';
import { joinSentences } from '../../language/sentences.ts';
import { t } from '../../language/text.ts';

interface RunResultProps {
  endpoint: EndpointSummary;
  job: WatchedJob | null;
  /** Why nothing can be sent now, for a person; null when it can. */
  blocked: string | null;
  stopping: boolean;
  /** Where the input beside it belongs, if the job was chosen from the last runs and may have another one. */
  inputKey: string | null;
  onStop: (entryId: string) => void;
}

export function RunResult({ endpoint, job, blocked, stopping, inputKey, onStop }: RunResultProps) {
  const entry = job?.entry ?? null;
  const away = useAway('app');
  const targetAway = useAway();
  const running = entry !== null && !isOver(entry);
  // Who changes a handler and runs it again looks at the same tab each time.
  const [tab, setTab] = useState('output');
  useCommands([
    isPaused(endpoint) && {
      label: t`Resume ${endpoint.name}`,
      isMain: true,
      run: () => void resumeEndpoint(endpoint.accountId, endpoint),
    },
  ]);
  useCommands([running && { label: t`Stop the job`, keys: 'Mod+.', isMain: true, run: () => onStop(entry.entryId) }]);

  const status = entry?.status;
  useEffect(() => {
    if (status) announce(t`Job: ${stateStyles[status].word}`);
  }, [status]);

  // The banner says why.
  if (job === null && targetAway !== null) {
    return (
      <Card grow aria-label={t`Job`}>
        <BackLater away={targetAway} />
      </Card>
    );
  }
  if (job === null && blocked !== null) {
    return (
      <Card grow aria-label={t`Job`}>
        <Empty
          title={t`Cannot run now`}
          tone="wait"
          action={
            !endpoint.available && (
              <Button
                variant="default"
                onClick={() => navigate({ page: 'endpoints', endpointId: endpoint.id, tab: 'settings' })}
              >{t`Show the settings of the endpoint`}</Button>
            )
          }
        >
          {blocked}
        </Empty>
      </Card>
    );
  }
  if (job === null && isPaused(endpoint)) return <PausedCard endpoint={endpoint} />;
  if (job === null) {
    return (
      <Card grow aria-label={t`Job`}>
        <Empty
          title={t`Ready to run`}
          more={
            <p className={styles.about}>
              {joinSentences(
                endpoint.description,
                endpoint.runtime !== null && t`Runs in ${loopWords({ ...endpoint, runtime: endpoint.runtime })}.`,
              )}
            </p>
          }
        >{t`Press Run: the output appears here as it comes, and is kept on this computer.`}</Empty>
      </Card>
    );
  }
  if (job.missing !== null) {
    return (
      <Card grow aria-label={t`Job`}>
        <Empty title={t`This job is not here`}>{job.missing}</Empty>
      </Card>
    );
  }
  if (entry === null && away !== null) {
    return (
      <Card grow aria-label={t`Job`}>
        <BackLater away={away} />
      </Card>
    );
  }
  if (entry === null) return <ResultSkeleton />;
  return (
    <>
      <Card aria-label={t`Job`}>
        <JobSummary
          entry={entry}
          actions={
            running ? (
              <Button
                size="xs"
                variant="default"
                leftSection={<Square size={10} fill="currentColor" aria-hidden />}
                rightSection={<Kbd aria-hidden>{keyLabel('Mod+.')}</Kbd>}
                loading={stopping}
                onClick={() => onStop(entry.entryId)}
              >{t`Stop`}</Button>
            ) : (
              inputKey !== null && <UseItsInput entry={entry} draftKey={inputKey} />
            )
          }
        />
      </Card>
      <Card grow aria-label={t`Result`}>
        <JobTabs
          entry={entry}
          chunks={job.chunks}
          output={job.output}
          pendingOutput={job.pendingOutput}
          tab={tab}
          onTab={setTab}
        />
      </Card>
    </>
  );
}

function PausedCard({ endpoint }: { endpoint: EndpointSummary }) {
  return (
    <Card grow aria-label={t`Job`}>
      <Empty
        title={t`The endpoint is paused`}
        tone="wait"
        action={
          <Button
            variant="default"
            onClick={() => void resumeEndpoint(endpoint.accountId, endpoint)}
          >{t`Resume`}</Button>
        }
      >{t`A job that you send now waits in its queue until you resume it.`}</Empty>
    </Card>
  );
}

export function ResultSkeleton() {
  return (
    <>
      <Card aria-hidden>
        <div className={styles.summarySkeleton}>
          <Skeleton h={22} w={120} radius={6} />
          <Skeleton h={8} radius={4} />
          <Skeleton h={10} w={240} radius={4} />
        </div>
      </Card>
      <Card grow aria-hidden />
    </>
  );
}
