/** The service: where it listens, who reaches it, how long it runs, where its data lies and how safe that is. */
import type { ReactNode } from 'react';
import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { THIS_MACHINE } from '#contract/app/account.ts';
import { errorText, orpc } from '../../../client/transport/orpc.ts';
import { Card } from '../../../ui/primitives/Card.tsx';
import { formatAgo, formatDuration, formatMemory, formatMoment } from '../../../ui/text/format.ts';
import { Id } from '../../../ui/primitives/Id.tsx';
import { Notice } from '../../../ui/primitives/Notice.tsx';
import { useNow } from '../../../ui/primitives/useNow.ts';
import { reachOf, reachWords } from './address.ts';
import { KeyPopover } from './KeyPopover.tsx';
import page from '../machine.module.css';
import styles from './service.module.css';

const EVERY_MS = 10_000;
const MINUTE_MS = 60_000;

interface ServiceCardProps {
  accountId: string;
  /** Null while it is not known. */
  address: string | null;
}

export function ServiceCard({ accountId, address }: ServiceCardProps) {
  const facts = useQuery(orpc.machine.facts.queryOptions({ input: { accountId }, refetchInterval: EVERY_MS }));
  const host = useQuery(orpc.host.info.queryOptions({ staleTime: Infinity }));
  const now = useNow(EVERY_MS);
  const { data } = facts;
  const wait = <Skeleton h={10} w={90} radius={4} />;
  // Below a minute nobody counts it, and it would move with every look.
  const uptime = data && Math.floor((now - Date.parse(data.startedAt)) / MINUTE_MS) * MINUTE_MS;
  return (
    <Card aria-label="Service">
      <div className={page.cardHead}>
        <h2>Service</h2>
        {address !== null && <KeyPopover address={address} />}
      </div>
      {facts.isError && !data && (
        <Notice tone="wait" title="The service did not tell.">
          {errorText(facts.error)}
        </Notice>
      )}
      {data?.notices.map((notice) => (
        <Notice key={notice} tone="wait" title="Notice.">
          {notice}
        </Notice>
      ))}
      {data?.disk.full && (
        <Notice tone="bad" title="The disk is full.">
          New jobs are refused until there is room again.
        </Notice>
      )}
      <dl className={page.facts}>
        <Fact name="Address">{address === null ? wait : <Id text={address} what="address" />}</Fact>
        <Fact name="Open to">{address === null ? wait : reachWords[reachOf(address)]}</Fact>
        <Fact name="Version">{data?.version ?? wait}</Fact>
        <Fact name="Runs for">
          {data && uptime !== undefined ? (
            <span title={`Since ${formatMoment(Date.parse(data.startedAt))}`}>
              {uptime < MINUTE_MS ? 'less than a minute' : formatDuration(uptime)}
            </span>
          ) : (
            wait
          )}
        </Fact>
        {accountId === THIS_MACHINE && (
          <Fact name="Data">{host.data ? <Id text={host.data.dataDir} what="data folder" /> : wait}</Fact>
        )}
        <Fact name="Disk">{data ? freeWords(data.disk.freeBytes) : wait}</Fact>
        <Fact name="Backup">{data ? <Backup {...data.backup} now={now} /> : wait}</Fact>
      </dl>
    </Card>
  );
}

const freeWords = (bytes: number | null): string =>
  bytes === null ? 'The system does not tell what is free' : `${formatMemory(bytes)} free`;

function Backup({ lastAt, problem, now }: { lastAt: string | null; problem: string | null; now: number }) {
  const at = lastAt === null ? null : Date.parse(lastAt);
  const ago = at === null ? 'None yet' : formatAgo(at, now) === 'now' ? 'Just now' : `${formatAgo(at, now)} ago`;
  return (
    <span className={styles.backup} title={at === null ? undefined : formatMoment(at)}>
      {ago}
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
