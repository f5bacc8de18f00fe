/** The service: its address, who can reach it, its uptime, the path of its data, and their backup. */
import type { ReactNode } from 'react';
import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { THIS_MACHINE } from '#contract/app/account.ts';
import { useStatePollMs } from '../../../client/changes/pushed.ts';
import { errorText, orpc } from '../../../client/transport/orpc.ts';
import { Unknown } from '../../../ui/domain/LoadError.tsx';
import { Card, CardHead } from '../../../ui/primitives/Card.tsx';
import { formatAgo, formatDuration, formatMemory, formatMoment } from '../../../ui/text/format.ts';
import { Id } from '../../../ui/primitives/Id.tsx';
import { Notice } from '../../../ui/primitives/Notice.tsx';
import { KeyMaker } from '../../../ui/keys/KeyMaker.tsx';
import { useNow } from '../../../ui/primitives/useNow.ts';
import { networkScopeWords } from './address.ts';
import page from '../machine.module.css';
import styles from './service.module.css';
import { t } from '../../../language/text.ts';

/** Interval of the clock, and of the polls of engines that do not report changes of these facts, milliseconds. */
const EVERY_MS = 10_000;
const MINUTE_MS = 60_000;

interface ServiceCardProps {
  accountId: string;
  /** Of the account, in the middle of a sentence. */
  name: string;
  /** Null if it is not known. */
  address: string | null;
}

export function ServiceCard({ accountId, name, address }: ServiceCardProps) {
  const refetchInterval = useStatePollMs(accountId, EVERY_MS, 'service');
  const facts = useQuery(orpc.machine.facts.queryOptions({ input: { accountId }, refetchInterval }));
  const host = useQuery(orpc.host.info.queryOptions({ staleTime: Infinity }));
  const now = useNow(EVERY_MS);
  const { data } = facts;
  const wait = <Skeleton h={10} w={90} radius={4} />;
  // Whole minutes, so that the text does not change with every poll.
  const uptime = data && Math.floor((now - Date.parse(data.startedAt)) / MINUTE_MS) * MINUTE_MS;
  return (
    <Card aria-label={t`Engine`} aria-busy={facts.isPending || undefined}>
      <CardHead title={t`Engine`} />
      {facts.isError && !data && <Unknown title={t`The engine did not answer.`} problem={errorText(facts.error)} />}
      {data?.notices.map((notice) => (
        <Notice key={notice} tone="wait" title={t`Notice.`}>
          {notice}
        </Notice>
      ))}
      {data?.disk.full && (
        <Notice tone="bad" title={t`The disk is full.`}>{t`New jobs are refused until you free some space.`}</Notice>
      )}
      <dl className={page.facts}>
        <Fact name={t`Address`}>{address === null ? wait : <Id text={address} copyLabel={t`Copy address`} />}</Fact>
        <Fact name={t`API key`}>
          <KeyMaker accountId={accountId} from={t`Page of ${name}`} endpoint={null} />
        </Fact>
        <Fact name={t`Reachable from`}>{address === null ? wait : networkScopeWords(accountId, address)}</Fact>
        <Fact name={t`Version`}>{data?.version ?? wait}</Fact>
        <Fact name={t`Uptime`}>
          {data && uptime !== undefined ? (
            <span title={t`Since ${formatMoment(Date.parse(data.startedAt))}`}>
              {uptime < MINUTE_MS ? t`less than a minute` : formatDuration(uptime)}
            </span>
          ) : (
            wait
          )}
        </Fact>
        {accountId === THIS_MACHINE && (
          <Fact name={t`Data`}>
            {host.data ? <Id text={host.data.dataDir} copyLabel={t`Copy data folder`} /> : wait}
          </Fact>
        )}
        <Fact name={t`Disk`}>{data ? freeWords(data.disk.freeBytes) : wait}</Fact>
        <Fact name={t`Backup`}>{data ? <Backup {...data.backup} now={now} /> : wait}</Fact>
      </dl>
    </Card>
  );
}

const freeWords = (bytes: number | null): string =>
  bytes === null ? t`The system does not report the free space` : t`${formatMemory(bytes)} free`;

function Backup({ lastAt, problem, now }: { lastAt: string | null; problem: string | null; now: number }) {
  const at = lastAt === null ? null : Date.parse(lastAt);
  return (
    <span className={styles.backup} title={at === null ? undefined : formatMoment(at)}>
      {at === null ? t`none yet` : formatAgo(at, now)}
      {problem !== null && <em>{problem}</em>}
    </span>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}
