/** An endpoint at a glance: what is in its way, its numbers, the Python and the tests of its handler, how it is called from a program, what it is made of. */
import type { ReactNode } from 'react';
import { Box } from '@mantine/core';
import type { EndpointDetail, EndpointRow } from '#contract/app/endpointReadModels.ts';
import { knownRuntime } from '#contract/local/engine.ts';
import type { PauseState } from '#contract/local/machine.ts';
import { knownFields } from '#contract/api/lenient.ts';
import { lackOf, useAccounts, useTarget } from '../../client/accounts.ts';
import { endedJobsOf, useEndpointTotals } from '../../client/endpointTotals.ts';
import { useEngine } from '../../client/engine.ts';
import { CodeText } from '../../ui/code/CodeText.tsx';
import { CopyButton } from '../../ui/primitives/CopyButton.tsx';
import { formatAgo, formatCount, formatMoment } from '../../ui/text/format.ts';
import { FactsBlock, fact } from '../../ui/primitives/DescriptionList.tsx';
import { Id } from '../../ui/primitives/Id.tsx';
import { loopCaution, loopWords } from '../../ui/text/loopLabels.ts';
import { HelpNote } from '../../ui/popover/HelpNote.tsx';
import { Notice } from '../../ui/primitives/Notice.tsx';
import { Pending } from '../../ui/page/Pending.tsx';
import { KeyMaker } from '../../ui/keys/KeyMaker.tsx';
import { OtherFields } from '../../ui/domain/OtherFields.tsx';
import { removedWords } from '../../ui/endpoint/removedRuns.ts';
import { EndpointTrouble } from '../../ui/endpoint/EndpointTrouble.tsx';
import { useNow } from '../../ui/primitives/useNow.ts';
import { AddPackages } from './handler/AddPackages.tsx';
import { CheckBlock } from './handler/CheckBlock.tsx';
import { PythonBlock } from './handler/PythonBlock.tsx';
import { useExampleBody } from './exampleBody.ts';
import { curlOf, endpointAddress, KEY_VARIABLE } from './address.ts';
import styles from '../../ui/theme/overview.module.css';
import panel from '../../ui/theme/panel.module.css';
import pieces from '../../ui/theme/pieces.module.css';
import { WorkerCounts } from './workers/WorkerCounts.tsx';
import { joinSentences } from '../../language/sentences.ts';
import { rich, t } from '../../language/text.ts';

const TICK_MS = 5000;

interface OverviewTabProps {
  accountId: string;
  row: EndpointRow;
  detail: EndpointDetail | undefined;
  pause: PauseState | null;
  address: string | null;
}

export function OverviewTab({ accountId, row, detail, pause, address }: OverviewTabProps) {
  const engine = useEngine(({ status }) => status);
  const base = address ?? engine?.address ?? null;
  return (
    <div
      className={`${panel.panel} ${pieces.inOrder}`}
      tabIndex={0}
      role="region"
      aria-label={t`Overview of ${row.name}`}
    >
      <EndpointTrouble accountId={accountId} row={row} pause={pause} />
      {row.readiness && row.readiness.notices.length > 0 && (
        <Notice tone="wait" title={t`About this endpoint:`} action={<AddPackages accountId={accountId} row={row} />}>
          {row.readiness.notices.join(' ')}
        </Notice>
      )}
      <Numbers accountId={accountId} row={row} />
      <PythonBlock accountId={accountId} row={row} detail={detail} />
      <CheckBlock accountId={accountId} row={row} />
      {base !== null ? (
        <Call accountId={accountId} row={row} detail={detail} base={base} />
      ) : (
        engine === null && <Pending />
      )}
      <Facts row={row} detail={detail} />
      {detail && (
        <>
          <OtherFields record={detail.endpoint} known={knownFields.endpoint} />
          {detail.template && <OtherFields isTemplate record={detail.template} known={knownFields.template} />}
        </>
      )}
    </div>
  );
}

const HOW_COUNTED = t`Jobs that ended in the last 24 hours, as in the list, on Home and in Metrics. A job that ran again counts once for each run.`;
const AS_REPORTED = t`The account reports these numbers. It does not say over which time it counts.`;

function Numbers({ accountId, row }: { accountId: string; row: EndpointRow }) {
  const jobs = row.health?.jobs;
  const known = useEndpointTotals(accountId);
  const { done, failed } = endedJobsOf(row, known);
  const isMissing = known.isMissing;
  const account = useAccounts()?.find(({ id }) => id === accountId);
  const note = isMissing ? AS_REPORTED : joinSentences(HOW_COUNTED, account !== undefined && removedWords(account));
  const numbers: { name: string; value: number | undefined; note?: string }[] = [
    { name: t`Queue`, value: jobs?.inQueue },
    { name: t`Running`, value: jobs?.inProgress },
    { name: isMissing ? t`Done, as reported` : t`Done, 24 h`, value: done },
    { name: isMissing ? t`Failed, as reported` : t`Failed, 24 h`, value: failed, note },
  ];
  return (
    <dl className={styles.numbers}>
      {row.type === 'QB' &&
        numbers.map(({ name, value, note: help }) => (
          <div key={name}>
            <dt>
              {name}
              {help !== undefined && <HelpNote title={t`How Done and Failed are counted`} text={help} />}
            </dt>
            <dd>{value === undefined ? '–' : formatCount(value)}</dd>
          </div>
        ))}
      <div className={styles.numbersWide}>
        <dt>{t`Workers (maximum ${formatCount(row.workersMax)})`}</dt>
        <dd>
          <WorkerCounts workers={row.health?.workers} />
        </dd>
      </div>
    </dl>
  );
}

interface CallProps extends Pick<OverviewTabProps, 'accountId' | 'row' | 'detail'> {
  base: string;
}

function Call({ accountId, row, detail, base }: CallProps) {
  const curl = curlOf(row, base, useExampleBody(accountId, row, detail));
  const { account, name } = useTarget();
  const makesKeys = lackOf(account, 'local') === null;
  return (
    <section className={panel.block} aria-label={t`Call it from a program`}>
      <h3>{t`Address`}</h3>
      {endpointAddress(row, base).map((url) => (
        <Id key={url} text={url} copyLabel={t`Copy address`} />
      ))}
      <div className={styles.code}>
        <pre tabIndex={0} aria-label={t`curl`} role="region">
          <CodeText language="curl" text={curl} />
        </pre>
        <CopyButton text={curl} label={t`Copy curl command`} size={26} inPalette />
      </div>
      <p className={panel.hint}>
        {rich`Needs a key of ${name} in ${<code>{KEY_VARIABLE}</code>}.`}{' '}
        {!makesKeys && t`Create keys for this account on its own site.`}
      </p>
      {makesKeys && (
        <Box mt={8}>
          <KeyMaker accountId={accountId} from={t`Endpoint ${row.name}`} endpoint={row} />
        </Box>
      )}
    </section>
  );
}

function Facts({ row, detail }: { row: EndpointRow; detail: EndpointDetail | undefined }) {
  const now = useNow(TICK_MS);
  const { readiness } = row;
  const facts: [string, ReactNode][] = [
    [
      t`Source`,
      row.imageName === null ? t`a deleted template` : <Id text={row.imageName} copyLabel={t`Copy folder or image`} />,
    ],
    [t`Endpoint id`, <Id key="id" text={row.id} copyLabel={t`Copy endpoint id`} />],
    // What an endpoint of REST v2 is made of has no id of its own.
    ...(row.templateId.endsWith(`:${row.id}`)
      ? []
      : [fact(t`Template id`, <Id key="template" text={row.templateId} copyLabel={t`Copy template id`} />)]),
    [
      t`Type`,
      row.type === 'LB'
        ? t`Load balancing: HTTP requests go straight to the workers`
        : t`Queue: workers take jobs in turn`,
    ],
  ];
  if (readiness) {
    const { handler } = readiness;
    if (row.type === 'QB' && knownRuntime(readiness) !== null) {
      const caution = loopCaution(readiness);
      facts.push([t`Served by`, `${loopWords(readiness)}${caution === null ? '' : `: ${caution}`}`]);
    }
    if (handler?.file)
      facts.push([t`Handler`, <Id key="handler" text={handler.file} copyLabel={t`Copy handler's path`} />]);
    if (readiness.reload) facts.push([t`Hot reload`, reloadWords(readiness.reload, now)]);
  }
  if (detail) {
    const { gpuTypeIds, createdAt, version } = detail.endpoint;
    const made = formatMoment(Date.parse(createdAt));
    facts.push([
      t`GPUs`,
      gpuTypeIds.length > 0 ? gpuTypeIds.reduce((before, next) => t`${before}, then ${next}`) : t`any, or the CPU`,
    ]);
    facts.push([t`Created`, version > 0 ? t`${made}; version ${version} of its settings` : made]);
  }
  return <FactsBlock title={t`Facts`} facts={facts} />;
}

function reloadWords(reload: NonNullable<NonNullable<EndpointRow['readiness']>['reload']>, now: number): string {
  if (reload.problem !== null) return t`Off: ${reload.problem}`;
  if (!reload.watching) return t`Files are watched while it has workers`;
  if (reload.lastAt === null) return t`Watching: a changed file restarts the workers`;
  return t`Watching; last ${formatAgo(Date.parse(reload.lastAt), now)}`;
}
