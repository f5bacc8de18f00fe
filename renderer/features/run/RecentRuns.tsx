/** The last runs of one endpoint; choosing one shows it above. One Tab stop, with the keys of the list of jobs. */
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { Skeleton } from '@mantine/core';
import type { LedgerEntry } from '#contract/app/ledger.ts';
import { useJobChanges, useMissedChanges } from '../../client/jobs/jobChanges.ts';
import { useIsLastKnown } from '../../client/jobs/lastKnown.ts';
import { orpc } from '../../client/transport/orpc.ts';
import { Card } from '../../ui/primitives/Card.tsx';
import { formatAgo, formatMoment } from '../../ui/text/format.ts';
import { timeTexts } from '../../ui/job/list/timeTexts.ts';
import { WhatLine } from '../../ui/job/list/WhatLine.tsx';
import { StateChip } from '../../ui/domain/StateChip.tsx';
import { sourceOf } from '../../ui/grid/rows.ts';
import { useActiveRow } from '../../ui/grid/useActiveRow.ts';
import { useNow } from '../../ui/primitives/useNow.ts';
import styles from './run.module.css';
import { t } from '../../language/text.ts';

const SHOWN = 20;
const TICK_MS = 1000;
/** Rows that are visible without scrolling, minus two. */
const PAGE_ROWS = 2;

const idOf = ({ entryId }: LedgerEntry): string => entryId;
const elementIdOf = (entryId: string): string => `run-${entryId}`;

interface RecentRunsProps {
  accountId: string;
  endpointId: string;
  shown: string | null;
  onShow: (entryId: string) => void;
}

export function RecentRuns({ accountId, endpointId, shown, onShow }: RecentRunsProps) {
  const queries = useQueryClient();
  const input = { filter: { accountId, endpointId }, offset: 0, limit: SHOWN };
  const options = orpc.jobs.list.queryOptions({ input, placeholderData: keepPreviousData });
  const { data, isPending } = useQuery(options);
  const now = useNow(TICK_MS);
  const isLastKnown = useIsLastKnown();

  useMissedChanges(() => void queries.invalidateQueries({ queryKey: options.queryKey }));
  useJobChanges((changed) => {
    const ours = changed.filter((entry) => entry.endpointId === endpointId && entry.accountId === accountId);
    if (ours.length === 0) return;
    queries.setQueryData(options.queryKey, (page) => page && { ...page, entries: merge(page.entries, ours) });
  });

  const entries = data?.entries ?? [];
  const { activeId, clickRow, onKeyDown } = useActiveRow(
    { openId: shown, idOf, onOpen: onShow, onClose: () => undefined, rows: entries },
    sourceOf(entries, idOf),
    {
      scrollTo: (index) => {
        const entry = entries[index];
        if (entry) document.getElementById(elementIdOf(entry.entryId))?.scrollIntoView({ block: 'nearest' });
      },
      pageRows: () => PAGE_ROWS,
    },
  );

  return (
    <Card aria-label={t`Last runs`}>
      <div className={styles.runs} role="region" aria-label={t`Last runs of this endpoint`}>
        <table
          role="grid"
          aria-label={t`Last runs`}
          tabIndex={0}
          aria-activedescendant={activeId === null ? undefined : elementIdOf(activeId)}
          // Escape goes back a step of the page, because there is nothing to close here.
          onKeyDown={(event) => event.key !== 'Escape' && onKeyDown(event)}
        >
          <thead>
            <tr>
              <th scope="col" data-states>{t`State`}</th>
              <th scope="col">{t`Job`}</th>
              <th scope="col">{t`Waited`}</th>
              <th scope="col">{t`Ran`}</th>
              <th scope="col">{t`When`}</th>
            </tr>
          </thead>
          <tbody>
            {entries.map((entry, index) => (
              <RunRow
                key={entry.entryId}
                entry={entry}
                isLastKnown={isLastKnown(entry)}
                now={now}
                isChosen={entry.entryId === shown}
                isActive={entry.entryId === activeId}
                onShow={() => clickRow(index, entry.entryId)}
              />
            ))}
            {isPending && [0, 1, 2].map((row) => <SkeletonRow key={row} />)}
          </tbody>
        </table>
        {data?.entries.length === 0 && <p className={styles.noRuns}>{t`Runs of this endpoint will be listed here.`}</p>}
      </div>
    </Card>
  );
}

interface RunRowProps {
  entry: LedgerEntry;
  isLastKnown: boolean;
  now: number;
  isChosen: boolean;
  /** The keys of the list are at this row. */
  isActive: boolean;
  onShow: () => void;
}

function RunRow({ entry, isLastKnown, now, isChosen, isActive, onShow }: RunRowProps) {
  const { waited, ran } = timeTexts(entry, isLastKnown ? null : now);
  return (
    <tr
      id={elementIdOf(entry.entryId)}
      aria-selected={isChosen}
      data-chosen={isChosen || undefined}
      data-active={isActive || undefined}
      onClick={onShow}
    >
      <td>
        <StateChip status={entry.status} isLastKnown={isLastKnown} />
      </td>
      <td>
        <WhatLine entry={entry} isLastKnown={isLastKnown} />
      </td>
      <td>{waited ?? '–'}</td>
      <td>{ran ?? '–'}</td>
      <td title={formatMoment(entry.sentAt)}>{formatAgo(entry.sentAt, now)}</td>
    </tr>
  );
}

function SkeletonRow() {
  return (
    <tr aria-hidden>
      {[64, 90, 40, 40, 40].map((width, index) => (
        <td key={index}>
          <Skeleton h={10} w={width} radius={4} ml={index > 1 ? 'auto' : 0} />
        </td>
      ))}
    </tr>
  );
}

/** Newest first: known entries in place, new ones on top. */
function merge(entries: readonly LedgerEntry[], changed: readonly LedgerEntry[]): LedgerEntry[] {
  const byId = new Map(changed.map((entry) => [entry.entryId, entry]));
  const known = entries.map((entry) => {
    const newer = byId.get(entry.entryId);
    byId.delete(entry.entryId);
    return newer ?? entry;
  });
  return [...byId.values(), ...known].toSorted((one, other) => other.sentAt - one.sentAt).slice(0, SHOWN);
}
