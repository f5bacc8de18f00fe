/** The Run page: choose an endpoint, write its input, run it and watch. */
import { useEffect, type ReactNode } from 'react';
import { Button, SegmentedControl, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { THIS_MACHINE, type Account } from '#contract/app/account.ts';
import type { EndpointSummary } from '#contract/bridge/index.ts';
import type { RunMode } from '#contract/app/ledger.ts';
import { isAway, lackOf, useTarget } from '../../client/accounts.ts';
import { useEngine } from '../../client/engine.ts';
import { useJobWatch } from '../../client/jobWatch.ts';
import { errorText, orpc, useConnection } from '../../client/transport/orpc.ts';
import { draftKey, setDraft, setMode, useDraft, useDraftUnkept, useMode } from '../../state/drafts.ts';
import { navigate } from '../../state/route.ts';
import { lastEndpoint, rememberEndpoint, showEntry, useShownEntry } from '../../state/selection.ts';
import { PageTitle } from '../../ui/page/PageTitle.tsx';
import { accountInSentence } from '../../ui/text/accountName.ts';
import { Card } from '../../ui/primitives/Card.tsx';
import { loopCaution, loopWords } from '../../ui/text/loopLabels.ts';
import { Empty } from '../../ui/primitives/Notice.tsx';
import { Panes } from '../../ui/primitives/SplitPane.tsx';
import { Unread } from '../../ui/domain/LoadError.tsx';
import { BlindPicker, blindList } from './BlindPicker.tsx';
import { Composer, EditorSkeleton } from './Composer.tsx';
import { EndpointPicker } from './EndpointPicker.tsx';
import { RecentRuns } from './RecentRuns.tsx';
import styles from './run.module.css';
import { ResultSkeleton, RunResult } from './RunResult.tsx';
import { useRun } from './useRun.ts';

const EMPTY_BODY = '{\n  "input": {}\n}';

const modes: { value: RunMode; label: string }[] = [
  { value: 'run', label: 'Stream' },
  { value: 'runsync', label: 'Wait for result' },
];

/** Whether an endpoint can run, and how, may change while somebody looks. */
const ENDPOINTS_MS = 5000;

export default function RunPage({ endpointId }: { endpointId: string | null }) {
  const { account, accountId, name: target } = useTarget();
  const endpoints = useQuery(
    orpc.endpoints.list.queryOptions({ input: { accountId }, refetchInterval: ENDPOINTS_MS, retry: 0 }),
  );
  // An account without management takes jobs for any endpoint whose id a person knows.
  const isBlind = account !== null && lackOf(account, 'management') !== null && account.capabilities.includes('jobs');
  const list = endpoints.data ?? (isBlind ? blindList(accountId, endpointId ?? lastEndpoint(accountId)) : undefined);
  const wanted = endpointId ?? lastEndpoint(accountId);
  const chosen =
    list?.find(({ id }) => id === wanted) ??
    (endpointId === null ? (list?.find(({ available }) => available) ?? list?.[0]) : undefined);
  const chosenId = chosen?.id;

  useEffect(() => {
    if (chosenId === undefined) return;
    rememberEndpoint(accountId, chosenId);
    navigate({ page: 'run', endpointId: chosenId }, { replace: true });
  }, [accountId, chosenId]);

  if (!list)
    return endpoints.isError ? (
      <Message title="The endpoints could not be read">
        <Unread
          capability="jobs"
          title="The endpoints could not be read"
          problem={errorText(endpoints.error)}
          retry={() => void endpoints.refetch()}
        />
      </Message>
    ) : (
      <RunSkeleton />
    );
  if (list.length === 0) {
    return isBlind ? (
      <Message title="Which endpoint?">
        <BlindPicker reason={lackOf(account, 'management') ?? ''} />
      </Message>
    ) : (
      <Message title={`No endpoint on ${target} yet`}>
        <Empty
          title={`No endpoint on ${target} yet`}
          action={
            <Button onClick={() => navigate({ page: 'endpoints', endpointId: null, tab: 'overview' })}>
              Show endpoints
            </Button>
          }
        >
          An endpoint is a queue with workers behind it. Make one from a folder, an image or a sample.
        </Empty>
      </Message>
    );
  }
  if (!chosen) {
    return (
      <Message title="This endpoint does not exist" pick={list}>
        <Empty title="This endpoint does not exist">
          There is none with the id {endpointId} on this account. Choose one of the others.
        </Empty>
      </Message>
    );
  }
  return <RunEndpoint key={`${accountId}/${chosen.id}`} endpoint={chosen} endpoints={list} account={account} />;
}

interface RunEndpointProps {
  endpoint: EndpointSummary;
  endpoints: EndpointSummary[];
  account: Account | null;
}

function RunEndpoint({ endpoint, endpoints, account }: RunEndpointProps) {
  const { accountId, id: endpointId } = endpoint;
  const key = draftKey(accountId, endpointId);
  const text = useDraft(key) ?? endpoint.sampleInput ?? EMPTY_BODY;
  const unkept = useDraftUnkept(key);
  const mode = useMode(key);
  const shown = useShownEntry(key);
  const job = useJobWatch(shown);
  const { submit, isSending, cancel } = useRun();
  const engine = useEngine((state) => state.status);
  const connected = useConnection((status) => status.state === 'open');
  const address = account?.address ?? engine?.address ?? null;

  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <PageTitle />
        <EndpointPicker
          endpoints={endpoints}
          chosen={endpoint}
          onChoose={(id) => navigate({ page: 'run', endpointId: id })}
        />
        <SegmentedControl aria-label="Mode" data={modes} value={mode} onChange={(value) => setMode(key, value)} />
        {endpoint.runtime !== null && <LoopNote runtime={endpoint.runtime} publicSdk={endpoint.publicSdk} />}
        {endpoint.description !== null && <p className={styles.description}>{endpoint.description}</p>}
      </header>
      <Panes
        place="run"
        left={
          <Composer
            draftKey={key}
            text={text}
            onText={(next) => setDraft(key, next)}
            sample={endpoint.sampleInput}
            mode={mode}
            targetName={accountInSentence(accountId, account?.name ?? '')}
            spends={account?.kind === 'cloud'}
            blocked={blockedBy(endpoint, connected, account, engine?.state ?? null)}
            unkept={unkept}
            code={address === null ? null : { address, endpointId }}
            sending={isSending && mode === 'run'}
            onRun={() =>
              submit({ accountId, endpointId, endpointName: endpoint.name, mode, body: text, draftKey: key })
            }
          />
        }
        right={
          <>
            <RunResult job={job} stopping={cancel.isPending} onStop={(entryId) => cancel.mutate(entryId)} />
            <RecentRuns
              accountId={accountId}
              endpointId={endpointId}
              shown={shown}
              onShow={(id) => showEntry(key, id)}
            />
          </>
        }
      />
    </div>
  );
}

/** Which loop a worker uses decides how long lies between two jobs, so whoever measures wants to know. */
function LoopNote(loop: Parameters<typeof loopWords>[0]) {
  const caution = loopCaution(loop);
  return (
    <span className={styles.loop}>
      Runs in {loopWords(loop)}
      {caution !== null && `: ${caution}`}
    </span>
  );
}

function blockedBy(
  endpoint: EndpointSummary,
  connected: boolean,
  account: Account | null,
  engine: string | null,
): string | null {
  if (!connected) return 'Not connected to Hangar.';
  if (endpoint.accountId !== THIS_MACHINE) {
    // One that is slowed down takes the job once it may.
    if (account !== null && isAway(account) && account.state !== 'slowed') return account.reason;
    return endpoint.available ? null : (endpoint.reason ?? 'This endpoint cannot run there.');
  }
  if (!endpoint.available) return endpoint.reason ?? 'This endpoint cannot run here.';
  if (engine !== null && engine !== 'ready') return 'The engine is not running now.';
  return null;
}

interface MessageProps {
  title: string;
  children: ReactNode;
  pick?: EndpointSummary[];
}

function Message({ title, children, pick }: MessageProps) {
  const [first] = pick ?? [];
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <PageTitle />
        {pick && first && (
          <EndpointPicker
            endpoints={pick}
            chosen={{ ...first, id: '', name: 'Choose an endpoint' }}
            onChoose={(id) => navigate({ page: 'run', endpointId: id })}
          />
        )}
      </header>
      <div className={styles.message}>
        <Card grow aria-label={title}>
          {children}
        </Card>
      </div>
    </div>
  );
}

function RunSkeleton() {
  return (
    <div className={styles.page} aria-busy="true" aria-label="Loading">
      <header className={styles.head}>
        <PageTitle />
        <Skeleton h={28} w={132} radius={7} />
        <Skeleton h={28} w={190} radius={7} />
      </header>
      <Panes
        place="run"
        left={
          <>
            <Card grow>
              <div className={styles.cardHead}>
                <h2>Input</h2>
              </div>
              <div className={styles.editor}>
                <EditorSkeleton />
              </div>
            </Card>
            <Skeleton h={34} w={210} radius={8} />
          </>
        }
        right={<ResultSkeleton />}
      />
    </div>
  );
}
