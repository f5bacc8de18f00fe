/** The Run page: choose an endpoint, write its input, run it and watch. */
import { useEffect, useMemo, useState, type ReactNode } from 'react';
import { Button, Skeleton, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { THIS_MACHINE, type Account } from '#contract/app/account.ts';
import type { EndpointSummary } from '#contract/bridge/index.ts';
import type { RunMode } from '#contract/app/ledger.ts';
import { isAway, lackOf, useTarget } from '../../client/accounts.ts';
import { useStatePollMs } from '../../client/changes/pushed.ts';
import { useEngine } from '../../client/engine.ts';
import { errorText, orpc, useConnection } from '../../client/transport/orpc.ts';
import { useRequestedRun } from '../../client/jobs/requestedRun.ts';
import { useCommands } from '../../state/commands.ts';
import { draftKey, draftText, runMode, setDraft } from '../../state/drafts.ts';
import { useOfFormerTarget } from '../../state/formerTarget.ts';
import { navigate } from '../../state/route.ts';
import type { RouteParams } from '../../state/routePath.ts';
import { lastEndpoint } from '../../state/selection.ts';
import { HelpNote } from '../../ui/popover/HelpNote.tsx';
import { PageTitle } from '../../ui/page/PageTitle.tsx';
import { reasonWords } from '../../ui/text/accountLabels.ts';
import { accountInSentence } from '../../ui/text/accountName.ts';
import { indentLine } from '../../ui/job/jsonText.ts';
import { Card, CardHead } from '../../ui/primitives/Card.tsx';
import { lazyPart } from '../../ui/primitives/lazyPart.ts';
import page from '../../ui/theme/page.module.css';
import { withFieldLabels } from '../../ui/text/fieldLabels.ts';
import { loopCaution, loopWords } from '../../ui/text/loopLabels.ts';
import { Empty } from '../../ui/primitives/Notice.tsx';
import { Panes } from '../../ui/primitives/SplitPane.tsx';
import { offerUndo } from '../../ui/undo/offerUndo.tsx';
import { LoadError } from '../../ui/domain/LoadError.tsx';
import { BACK_WORDS, BackToOne } from './BackToOne.tsx';
import { BlindPicker, blindList } from './BlindPicker.tsx';
import { EndpointPicker } from './EndpointPicker.tsx';
import { useChosen } from './chosenEndpoint.ts';
import { firstBody } from './form/firstBody.ts';
import { inputSourceOf, useDeclaredInput, useInputRules } from './form/inputSources.ts';
import { EditorSkeleton } from './form/InputTabs.tsx';
import { CompareLink } from './compare/CompareLink.tsx';
import { HistoryMenu } from './inputs/HistoryMenu.tsx';
import { OneInput } from './OneInput.tsx';
import { SavedMenu } from './inputs/SavedMenu.tsx';
import styles from './run.module.css';
import { ResultSkeleton } from './RunResult.tsx';
import { runView, useRunView, type RunView } from './runView.ts';
import { Segments } from '../../ui/tabs/Segments.tsx';
import { rich, t } from '../../language/text.ts';

const ComparePage = lazyPart(
  () => import('./compare/ComparePage.tsx'),
  () => <RunSkeleton />,
);
const ChatView = lazyPart(
  () => import('./chat/ChatView.tsx'),
  <Panes place="chat" leftSize="68%" left={<Card grow aria-hidden />} right={<Card grow aria-hidden />} />,
);

const EMPTY_BODY = '{\n  "input": {}\n}';

const modes: { value: RunMode | 'chat'; label: string; short?: string }[] = [
  { value: 'run', label: t`Stream` },
  { value: 'runsync', label: t`Wait for result`, short: t`Wait` },
  { value: 'chat', label: t`Chat` },
];

/** Whether an endpoint can run, and how, may change while somebody looks. */
const ENDPOINTS_MS = 5000;

/** Lists of inputs are rarer than one input. */
const BatchPanel = lazyPart(
  () => import('./batch/BatchPanel.tsx'),
  <Panes place="batch" left={<Card grow aria-hidden />} right={<Card grow aria-hidden />} />,
);

export default function RunPage({ endpointId, view }: RouteParams<'run'>) {
  if (view !== 'compare') return <RunOne endpointId={endpointId} isBatch={view === 'batch'} />;
  return <ComparePage />;
}

function RunOne({ endpointId: named, isBatch }: { endpointId: string | null; isBatch: boolean }) {
  const { account, accountId, name: target } = useTarget();
  const isOfFormerTarget = useOfFormerTarget(accountId, named);
  const endpointId = isOfFormerTarget ? null : named;
  const endpoints = useQuery(
    orpc.endpoints.list.queryOptions({
      input: { accountId },
      refetchInterval: useStatePollMs(accountId, ENDPOINTS_MS),
      retry: 0,
    }),
  );
  // An account without management takes jobs for any endpoint whose id a person knows.
  const isBlind = account !== null && lackOf(account, 'management') !== null && account.capabilities.includes('jobs');
  const list =
    endpoints.data ?? (isBlind ? blindList(accountId, endpointId ?? lastEndpoint.get(accountId)) : undefined);
  const chosen = useChosen(list, { accountId, endpointId, isOfFormerTarget });
  const chosenId = chosen?.id;

  useEffect(() => {
    if (chosenId === undefined) return;
    lastEndpoint.set(accountId, chosenId);
    navigate({ page: 'run', endpointId: chosenId, ...(isBatch && { view: 'batch' }) }, { replace: true });
  }, [accountId, chosenId, isBatch]);

  if (!list)
    return endpoints.isError ? (
      <Message title={t`The endpoints could not be read`}>
        <LoadError
          capability="jobs"
          title={t`The endpoints could not be read`}
          problem={errorText(endpoints.error)}
          retry={() => void endpoints.refetch()}
        />
      </Message>
    ) : (
      <RunSkeleton />
    );
  if (list.length === 0) {
    return isBlind ? (
      <Message title={t`Which endpoint?`}>
        <BlindPicker reason={lackOf(account, 'management') ?? ''} />
      </Message>
    ) : (
      <Message title={t`No endpoints on ${target} yet`}>
        <Empty
          title={t`No endpoints on ${target} yet`}
          action={
            <Button
              onClick={() => navigate({ page: 'endpoints', endpointId: null, tab: 'overview' })}
            >{t`Show endpoints`}</Button>
          }
        >{t`An endpoint is a queue with workers behind it. Make one from a folder, an image or a sample.`}</Empty>
      </Message>
    );
  }
  if (!chosen) {
    return (
      <Message title={t`This endpoint does not exist`} pick={list}>
        <Empty
          title={t`This endpoint does not exist`}
        >{rich`This account has no endpoint with the id ${endpointId}. Choose another one.`}</Empty>
      </Message>
    );
  }
  return (
    <RunEndpoint
      key={`${accountId}/${chosen.id}`}
      endpoint={chosen}
      endpoints={list}
      account={account}
      isBatch={isBatch}
    />
  );
}

/** Chat is one of the modes that a person chooses from, beside those of a job. */
function useMode(endpoint: EndpointSummary) {
  const key = draftKey(endpoint.accountId, endpoint.id);
  const usual = useRunView(endpoint);
  /** A run that was requested is a job, also where the endpoint chats, until the person chooses a mode. */
  const [requestedView, setRequestedView] = useState<RunView | null>(null);
  if (useRequestedRun((request) => request.key === key) && requestedView === null) setRequestedView('job');
  const view = requestedView ?? usual;
  const mode = runMode.use(key);
  const chooseMode = (value: RunMode | 'chat') => {
    setRequestedView(null);
    runView.set(key, value === 'chat' ? 'chat' : 'job');
    if (value !== 'chat') runMode.set(key, value);
  };
  return { mode, view, shownMode: view === 'chat' ? view : mode, chooseMode };
}

interface RunEndpointProps {
  endpoint: EndpointSummary;
  endpoints: EndpointSummary[];
  account: Account | null;
  /** A list of inputs instead of one. */
  isBatch: boolean;
}

function RunEndpoint({ endpoint, endpoints, account, isBatch }: RunEndpointProps) {
  const { accountId, id: endpointId } = endpoint;
  const key = draftKey(accountId, endpointId);
  const sample = endpoint.sampleInput === null ? null : indentLine(endpoint.sampleInput);
  const source = inputSourceOf(endpoint);
  const rules = useInputRules(source, key);
  const first = useMemo(() => firstBody(rules, sample), [rules, sample]);
  const text = draftText.use(key) ?? first ?? EMPTY_BODY;
  const declared = useDeclaredInput(source);
  const engine = useEngine((state) => state.status);
  const connected = useConnection((status) => status.state === 'open');
  const { mode, view, shownMode, chooseMode } = useMode(endpoint);
  const targetName = accountInSentence(accountId, account?.name ?? '');
  const spends = account?.kind === 'cloud';
  const address = account?.address ?? engine?.address ?? null;
  const makesKeys = lackOf(account, 'local') === null;
  const called = address === null ? null : { address, endpointId, endpointName: endpoint.name, accountId, makesKeys };
  const blocked = blockedBy(endpoint, connected, account, engine?.state ?? null);
  const clear = () => {
    const before = draftText.get(key);
    draftText.set(key, null);
    if (before !== null) offerUndo(t`Cleared the input of ${endpoint.name}`, () => setDraft(key, before));
  };
  const canBatch = view === 'job' || isBatch;
  const batchWords = isBatch ? BACK_WORDS : t`Batch`;
  const toggleBatch = () => navigate({ page: 'run', endpointId, ...(!isBatch && { view: 'batch' }) });
  const isOneInput = view === 'job' && !isBatch;
  // Only of what is on screen: a batch has no mode, and a chat and a batch have texts of their own.
  useCommands([
    canBatch && { label: batchWords, run: toggleBatch },
    ...modes
      .filter(({ value }) => !isBatch && value !== shownMode)
      .map(({ value, label }) => ({ label: t`Mode: ${label}`, run: () => chooseMode(value) })),
    isOneInput && {
      label: t`Clear the input`,
      description: t`Restores the first input of the endpoint`,
      run: clear,
    },
    {
      label: t`Show the endpoint ${endpoint.name}`,
      run: () => navigate({ page: 'endpoints', endpointId, tab: 'overview' }),
    },
  ]);

  return (
    <div className={page.page}>
      <header className={page.pageHead}>
        <PageTitle {...(isBatch && { name: t`Batch` })} />
        {isBatch && <BackToOne onBack={toggleBatch} />}
        <EndpointPicker
          endpoints={endpoints}
          chosen={endpoint}
          onChoose={(id) => navigate({ page: 'run', endpointId: id, ...(isBatch && { view: 'batch' }) })}
        />
        {!isBatch && (
          <Segments
            aria-label={t`Mode`}
            className={styles.modes}
            data={modes}
            value={shownMode}
            onChange={chooseMode}
          />
        )}
        {endpoint.runtime !== null && <LoopNote runtime={endpoint.runtime} publicSdk={endpoint.publicSdk} />}
        {isOneInput && (
          <span className={styles.inputs}>
            <UnstyledButton className={styles.policyValue} onClick={toggleBatch}>
              {batchWords}
            </UnstyledButton>
            <CompareLink accountId={accountId} endpointId={endpointId} text={text} endpointName={endpoint.name} />
            <SavedMenu draftKey={key} text={text} sample={sample} test={declared?.test ?? null} />
            <HistoryMenu accountId={accountId} endpointId={endpointId} />
          </span>
        )}
      </header>
      {isBatch ? (
        <BatchPanel endpoint={endpoint} targetName={targetName} spends={spends} blocked={blocked} />
      ) : view === 'chat' ? (
        <ChatView
          accountId={accountId}
          endpointId={endpointId}
          targetName={targetName}
          spends={spends}
          blocked={blocked}
          draftKey={key}
          endpointName={endpoint.name}
          called={called}
          onStream={() => chooseMode('run')}
        />
      ) : (
        <OneInput
          endpoint={endpoint}
          called={called}
          mode={mode}
          text={text}
          sample={sample}
          source={source}
          targetName={targetName}
          spends={spends}
          blocked={blocked}
        />
      )}
    </div>
  );
}

/** Says where the loop of a worker makes jobs wait, which matters to a person who measures. */
function LoopNote(loop: Parameters<typeof loopWords>[0]) {
  const caution = loopCaution(loop);
  if (caution === null) return null;
  const text = t`Runs in ${loopWords(loop)}: ${caution}.`;
  return <HelpNote title={t`How this endpoint runs`} text={text} shown={t`Up to 1 s between jobs`} />;
}

function blockedBy(
  endpoint: EndpointSummary,
  connected: boolean,
  account: Account | null,
  engine: string | null,
): string | null {
  if (!connected) return t`Not connected to Hangar.`;
  if (endpoint.accountId !== THIS_MACHINE) {
    // One that is slowed down takes the job once it may.
    if (account !== null && isAway(account) && account.state !== 'slowed') {
      // The banner above says more.
      if (account.state === 'refused' || account.state === 'no-key') return t`Not available until its key is replaced.`;
      return account.state === 'offline' ? t`Not available while ${account.name} is offline.` : reasonWords(account);
    }
    if (endpoint.available) return null;
    return endpoint.reason === null ? t`This endpoint cannot run there.` : withFieldLabels(endpoint.reason);
  }
  if (!endpoint.available)
    return endpoint.reason === null ? t`This endpoint cannot run here.` : withFieldLabels(endpoint.reason);
  if (engine !== null && engine !== 'ready') return t`The engine is not running now.`;
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
    <div className={page.page}>
      <header className={page.pageHead}>
        <PageTitle />
        {pick && first && (
          <EndpointPicker
            endpoints={pick}
            chosen={{ ...first, id: '', name: t`Choose an endpoint` }}
            onChoose={(id) => navigate({ page: 'run', endpointId: id })}
          />
        )}
      </header>
      <div className={page.frame}>
        <Card grow aria-label={title}>
          {children}
        </Card>
      </div>
    </div>
  );
}

function RunSkeleton() {
  return (
    <div className={page.page} aria-busy="true" aria-label={t`Loading`}>
      <header className={page.pageHead}>
        <PageTitle />
        <Skeleton h={28} w={132} radius={7} />
        <Skeleton h={28} w={190} radius={7} />
      </header>
      <Panes
        place="run"
        left={
          <>
            <Card grow>
              <CardHead title={t`Input`} />
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
