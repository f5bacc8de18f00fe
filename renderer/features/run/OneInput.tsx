/** The request of one job beside its result. */
import { useState, type ComponentProps } from 'react';
import type { RunMode } from '#contract/app/ledger.ts';
import type { EndpointSummary } from '#contract/bridge/index.ts';
import { rateKey, useJobRates } from '../../client/jobs/jobRates.ts';
import { useJobWatch } from '../../client/jobs/jobWatch.ts';
import { draftKey, setDraft, useDraftUnstored } from '../../state/drafts.ts';
import { shownEntry } from '../../state/selection.ts';
import { Panes } from '../../ui/primitives/SplitPane.tsx';
import type { CalledEndpoint } from './code/CodePopover.tsx';
import { Composer } from './Composer.tsx';
import type { InputSource } from './form/inputSources.ts';
import { RecentRuns } from './RecentRuns.tsx';
import { RunResult } from './RunResult.tsx';
import { usualCost } from './usualRuns.ts';
import { useRun } from './useRun.ts';
import { useOwnRuns } from './useOwnRuns.ts';

interface OneInputProps {
  endpoint: EndpointSummary;
  called: CalledEndpoint | null;
  mode: RunMode;
  /** The request body as the person wrote it. */
  text: string;
  /** The first input of the endpoint. */
  sample: string | null;
  source: InputSource;
  targetName: string;
  spends: boolean;
  blocked: string | null;
}

export function OneInput({ endpoint, called, mode, text, sample, source, ...rest }: OneInputProps) {
  const { targetName, spends, blocked } = rest;
  const { accountId, id: endpointId, name: endpointName } = endpoint;
  const key = draftKey(accountId, endpointId);
  const isUnstored = useDraftUnstored(key);
  const shown = shownEntry.use(key);
  /** The job that the person chose from the last runs. */
  const [picked, setPicked] = useState<string | null>(null);
  const { submit, isSending, cancel } = useRun();
  const [runs, setRuns] = useState(0);
  const { usual, yields } = useOwnRuns(accountId, endpointId);
  const rate = useJobRates([accountId]).get(rateKey(accountId, endpointId));
  return (
    <Panes
      place="run"
      seeRight={runs}
      left={
        <Composer
          draftKey={key}
          source={source}
          text={text}
          onText={(next) => setDraft(key, next)}
          sample={sample}
          mode={mode}
          targetName={targetName}
          spends={spends}
          blocked={blocked}
          isUnstored={isUnstored}
          code={called && { ...called, yields }}
          sending={isSending && mode === 'run'}
          usual={usual}
          // Without a price there is nothing to say before.
          cost={usualCost(usual, rate || undefined)}
          onRun={() => {
            submit({ accountId, endpointId, endpointName, mode, body: text, draftKey: key });
            setRuns((before) => before + 1);
          }}
        />
      }
      right={
        <>
          <WatchedResult
            endpoint={endpoint}
            shown={shown}
            blocked={blocked}
            stopping={cancel.isPending}
            inputKey={picked !== null && picked === shown ? key : null}
            onStop={(entryId) => cancel.mutate(entryId)}
          />
          <RecentRuns
            accountId={accountId}
            endpointId={endpointId}
            shown={shown}
            onShow={(id) => {
              setPicked(id);
              shownEntry.set(key, id);
            }}
          />
        </>
      }
    />
  );
}

interface WatchedResultProps extends Omit<ComponentProps<typeof RunResult>, 'job'> {
  /** The entry of the ledger. */
  shown: string | null;
}

/** A component of its own, so that a chunk of the output does not render the request beside it anew. */
function WatchedResult({ shown, ...rest }: WatchedResultProps) {
  return <RunResult {...rest} job={useJobWatch(shown)} />;
}
