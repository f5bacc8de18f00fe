/** An endpoint at a glance: what is in its way, its numbers, how it is called from a program, what it is made of. */
import type { ReactNode } from 'react';
import { Button } from '@mantine/core';
import type { EndpointDetail, EndpointRow } from '#contract/endpointViews.ts';
import type { PauseState } from '#contract/machine.ts';
import { useEngine } from '../../client/engine.ts';
import { navigate } from '../../state/route.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { formatAgo, formatCount, formatMoment } from '../../ui/format.ts';
import { Id } from '../../ui/Id.tsx';
import { loopCaution, loopWords } from '../../ui/loopWords.ts';
import { Notice } from '../../ui/Notice.tsx';
import { useNow } from '../../ui/useNow.ts';
import { curlOf, endpointAddress, KEY_VARIABLE } from './address.ts';
import { stateOf } from './endpointState.ts';
import styles from './endpoints.module.css';
import { WorkerCounts } from './WorkerCounts.tsx';

const TICK_MS = 5000;

interface OverviewTabProps {
  row: EndpointRow;
  detail: EndpointDetail | undefined;
  pause: PauseState | null;
  address: string | null;
}

export function OverviewTab({ row, detail, pause, address }: OverviewTabProps) {
  const engine = useEngine((state) => state.status?.address ?? null);
  const base = address ?? engine;
  return (
    <div className={styles.panel} tabIndex={0} role="region" aria-label={`Overview of ${row.name}`}>
      <Trouble row={row} pause={pause} />
      <Numbers row={row} />
      {base !== null && <Call row={row} base={base} />}
      <Facts row={row} detail={detail} />
    </div>
  );
}

function Trouble({ row, pause }: { row: EndpointRow; pause: PauseState | null }) {
  const now = useNow(TICK_MS);
  const { state, why } = stateOf(row, pause);
  const trouble = row.readiness?.trouble;
  if (state === 'ready') return null;
  if (state === 'crash-looping' && trouble) {
    const next = trouble.nextTryAt === null ? null : Date.parse(trouble.nextTryAt) - now;
    return (
      <div className={styles.trouble}>
        <Notice tone="bad" title="Its workers die before they finish a job.">
          {why} {next !== null && next > 0 && `Another one is tried in ${Math.ceil(next / 1000)} s.`}
        </Notice>
        {trouble.lastLines.length > 0 && (
          <pre className={styles.lastLines} tabIndex={0} aria-label="The last lines of the last one" role="region">
            {trouble.lastLines.join('\n')}
          </pre>
        )}
      </div>
    );
  }
  const titles = {
    'cannot-run': 'It cannot run here.',
    'crash-looping': 'Its workers die.',
    paused: 'Work on this computer is paused.',
    pausing: 'Work on this computer pauses after the running jobs.',
    'no-workers': 'It may have no workers.',
    unknown: 'Its state is not known.',
  };
  return (
    <div className={styles.trouble}>
      <Notice
        tone={state === 'cannot-run' ? 'bad' : 'wait'}
        title={titles[state]}
        action={
          state === 'no-workers' ? (
            <Button
              size="xs"
              variant="default"
              onClick={() => navigate({ page: 'endpoints', endpointId: row.id, tab: 'settings' })}
            >
              Change
            </Button>
          ) : undefined
        }
      >
        {why}
      </Notice>
    </div>
  );
}

function Numbers({ row }: { row: EndpointRow }) {
  const jobs = row.health?.jobs;
  const numbers: [string, number | undefined][] = [
    ['Queue', jobs?.inQueue],
    ['Running', jobs?.inProgress],
    ['Done', jobs?.completed],
    ['Failed', jobs?.failed],
    ['Retried', jobs?.retried],
  ];
  return (
    <dl className={styles.numbers}>
      {numbers.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value === undefined ? '–' : formatCount(value)}</dd>
        </div>
      ))}
      <div className={styles.numbersWide}>
        <dt>Workers, of {formatCount(row.workersMax)} at most</dt>
        <dd>
          <WorkerCounts workers={row.health?.workers} />
        </dd>
      </div>
    </dl>
  );
}

function Call({ row, base }: { row: EndpointRow; base: string }) {
  const curl = curlOf(row, base);
  return (
    <section className={styles.block} aria-label="How a program calls it">
      <h3>Address</h3>
      {endpointAddress(row, base).map((url) => (
        <Id key={url} text={url} what="address" />
      ))}
      <div className={styles.code}>
        <pre tabIndex={0} aria-label="curl" role="region">
          {curl}
        </pre>
        <span>
          <CopyButton text={curl} what="curl command" size={26} />
        </span>
      </div>
      <p className={styles.hint}>
        Needs a key in <code>{KEY_VARIABLE}</code>: Hangar printed the first one when it started for the first time.
      </p>
    </section>
  );
}

function Facts({ row, detail }: { row: EndpointRow; detail: EndpointDetail | undefined }) {
  const now = useNow(TICK_MS);
  const { readiness } = row;
  const facts: [string, ReactNode][] = [
    [
      'Made of',
      row.imageName === null ? 'a template that is gone' : <Id text={row.imageName} what="folder or image" />,
    ],
    ['Endpoint', <Id key="id" text={row.id} what="endpoint id" />],
    ['Template', <Id key="template" text={row.templateId} what="template id" />],
    [
      'Type',
      row.type === 'LB' ? 'Load balancing: HTTP goes straight to its workers' : 'Queue: workers take jobs in turn',
    ],
  ];
  if (readiness) {
    const caution = loopCaution[readiness.runtime];
    facts.push(['Served by', `${loopWords[readiness.runtime]}${caution === null ? '' : `: ${caution}`}`]);
    if (readiness.reload) facts.push(['Hot reload', reloadWords(readiness.reload, now)]);
  }
  if (detail) {
    const { gpuTypeIds, createdAt, version } = detail.endpoint;
    facts.push(['GPUs', gpuTypeIds.length > 0 ? gpuTypeIds.join(', then ') : 'any, or the processor']);
    facts.push(['Made', `${formatMoment(Date.parse(createdAt))}, version ${version}`]);
  }
  return (
    <section className={styles.block} aria-label="Facts">
      <h3>Facts</h3>
      <dl className={styles.facts}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function reloadWords(reload: NonNullable<NonNullable<EndpointRow['readiness']>['reload']>, now: number): string {
  if (reload.problem !== null) return `off: ${reload.problem}`;
  if (!reload.watching) return 'off: its files are not watched';
  if (reload.lastAt === null) return 'watching: a changed file makes new workers';
  const ago = formatAgo(Date.parse(reload.lastAt), now);
  return `watching; last ${ago === 'now' ? 'just now' : `${ago} ago`}`;
}
