/** "Check this worker": the tests that a folder brings, run as jobs, with the result of each. */
import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Check, CircleDashed, CircleSlash, Clock, Play, X, type LucideIcon } from 'lucide-react';
import type { EndpointRow } from '#contract/app/endpointReadModels.ts';
import type { WorkerCheck } from '#contract/local/folder.ts';
import { useStatePollMs } from '../../../client/changes/pushed.ts';
import { usePollMs } from '../../../client/transport/live.ts';
import { api, errorText, orpc, queryClient } from '../../../client/transport/orpc.ts';
import { formatDuration } from '../../../ui/text/format.ts';
import { readError } from '#contract/api/readError.ts';
import { FrameText } from '../../../ui/endpoint/FrameText.tsx';
import { codeOf, type HandlerCode } from '../../../ui/endpoint/handlerCode.ts';
import { Notice } from '../../../ui/primitives/Notice.tsx';
import panel from '../../../ui/theme/panel.module.css';
import pieces from '../../../ui/theme/pieces.module.css';
import styles from './handler.module.css';
import { counted, t } from '../../../language/text.ts';

type WorkerTest = WorkerCheck['tests'][number];

/** Nothing for an account that does not tell of handlers, for a folder without tests, and where there are no jobs. */
export function CheckBlock({ accountId, row }: { accountId: string; row: EndpointRow }) {
  if (row.type !== 'QB' || !row.readiness?.handler) return null;
  return <Tests accountId={accountId} endpointId={row.id} code={codeOf(accountId, row)} />;
}

interface TestsProps {
  accountId: string;
  endpointId: string;
  code: HandlerCode | null;
}

function Tests({ accountId, endpointId, code }: TestsProps) {
  const input = { accountId, endpointId };
  const refetchInterval = useStatePollMs(accountId, usePollMs());
  const query = useQuery(orpc.folders.check.queryOptions({ input, refetchInterval, retry: false }));
  const show = (check: WorkerCheck) => queryClient.setQueryData(orpc.folders.check.queryKey({ input }), check);
  const start = useMutation({ mutationFn: () => api.folders.startCheck(input), onSuccess: show });
  const stop = useMutation({ mutationFn: () => api.folders.stopCheck(input), onSuccess: show });
  const check = query.data;
  const failure = start.error ?? stop.error ?? (check === undefined ? query.error : null);
  if (failure === null && (!check || (check.tests.length === 0 && check.notices.length === 0))) return null;
  const isRunning = check?.state === 'running';
  return (
    <section className={`${panel.block} ${styles.check}`} aria-label={t`Check this worker`}>
      <h3>{t`Tests of the folder`}</h3>
      {failure !== null && (
        <Notice tone="bad" title={t`This did not work.`}>
          {errorText(failure)}
        </Notice>
      )}
      {check?.notices.map((text) => (
        <Notice key={text} tone="wait" title={t`About these tests`}>
          {text}
        </Notice>
      ))}
      {check && check.tests.length > 0 && (
        <>
          <div className={styles.line}>
            <p className={styles.text} aria-live="polite">
              {resultOf(check)}
            </p>
            {isRunning ? (
              <Button
                size="xs"
                variant="default"
                loading={stop.isPending}
                onClick={() => stop.mutate()}
              >{t`Stop`}</Button>
            ) : (
              <Button size="xs" variant="default" loading={start.isPending} onClick={() => start.mutate()}>
                {check.state === 'none' ? t`Check this worker` : t`Check again`}
              </Button>
            )}
          </div>
          <ul className={styles.tests} aria-label={t`Tests`}>
            {check.tests.map((test, index) => (
              <Test key={index} test={test} isBegun={check.state !== 'none'} code={code} />
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

/** The check in a sentence. */
function resultOf({ state, tests }: WorkerCheck): string {
  const count = (wanted: WorkerTest['state']): number => tests.filter((test) => test.state === wanted).length;
  const all = counted(tests.length, '1 test', '{0} tests');
  if (state === 'none') return t`${all}, run as jobs one after the other: a test passes if its job succeeds.`;
  const failed = count('failed');
  const passed = t`${count('passed')} of ${all} passed`;
  const ended = failed === 0 ? passed : t`${passed}, ${failed} failed`;
  if (state === 'running') return t`It runs: ${ended}.`;
  return state === 'stopped' ? t`Stopped: ${ended}.` : `${ended}.`;
}

interface Look {
  word: string;
  icon: LucideIcon;
  tone: 'wait' | 'run' | 'ok' | 'bad' | 'off';
}

const looks: Record<WorkerTest['state'], Look> = {
  waiting: { word: t`Waits`, icon: Clock, tone: 'wait' },
  running: { word: t`Runs`, icon: Play, tone: 'run' },
  passed: { word: t`Passed`, icon: Check, tone: 'ok' },
  failed: { word: t`Failed`, icon: X, tone: 'bad' },
  stopped: { word: t`Stopped`, icon: CircleSlash, tone: 'off' },
};
const notRun: Look = { word: t`Not run`, icon: CircleDashed, tone: 'off' };

function Test({ test, isBegun, code }: { test: WorkerTest; isBegun: boolean; code: HandlerCode | null }) {
  const { word, icon: Icon, tone } = isBegun ? looks[test.state] : notRun;
  const error = test.message === null ? null : readError(test.message);
  return (
    <li>
      <span className={pieces.chip} data-tone={tone}>
        <Icon size={12} strokeWidth={2.4} aria-hidden className={pieces.chipIcon} />
        {word}
      </span>
      <b>{test.name}</b>
      {test.executionMs !== null && <span className={styles.time}>{formatDuration(test.executionMs)}</span>}
      {error !== null && (
        <div className={styles.why} data-tone={test.state === 'failed' ? 'bad' : undefined}>
          {error.headline}
          {error.detail !== null && (
            <details>
              <summary>{t`Details`}</summary>
              <pre tabIndex={0}>
                <FrameText text={error.detail} code={code} />
              </pre>
            </details>
          )}
        </div>
      )}
    </li>
  );
}
