/** Transfers of a volume or a Pod: their progress, speed and results. */
import { useMemo } from 'react';
import { Button, Progress } from '@mantine/core';
import { Check, CircleAlert, Copy, Download, FolderInput, Upload } from 'lucide-react';
import type { FileHolder } from '#contract/local/files.ts';
import { speedOf, timeLeftMs } from '../../../client/files/speed.ts';
import {
  cancelTransfer,
  forgetTransfers,
  transferAgain,
  useTransfers,
  type Transfer,
} from '../../../client/files/transfers.ts';
import { formatCount, formatFileSize, formatSetting } from '../../text/format.ts';
import { useNow } from '../../primitives/useNow.ts';
import { MiddleCut } from '../MiddleCut.tsx';
import { parentOf } from '../paths.ts';
import { LastButton } from './LastButton.tsx';
import rows from '../../theme/progressRows.module.css';
import styles from './transfers.module.css';
import { counted, t } from '../../../language/text.ts';

/** Interval at which the speed is written anew. */
const EVERY_MS = 1000;
/** A folder may have thousands of files: so many rows are drawn. */
const MOST_ROWS = 60;

const isOpen = ({ state }: Transfer): boolean => state === 'waiting' || state === 'running';
const isFinished = ({ state }: Transfer): boolean => state === 'done' || state === 'cancelled';

export function TransferList({ accountId, holder }: { accountId: string; holder: FileHolder }) {
  const all = useTransfers((transfers) => transfers.list);
  const list = useMemo(
    () =>
      all.filter((one) => one.accountId === accountId && one.holder.in === holder.in && one.holder.id === holder.id),
    [all, accountId, holder.in, holder.id],
  );
  const now = useNow(list.some(({ state }) => state === 'running') ? EVERY_MS : null);
  if (list.length === 0) return null;
  const shown = shownOf(list);
  // Files of several folders may have the same names.
  const hasFolders = new Set(list.map(({ path }) => parentOf(path))).size > 1;
  return (
    <section className={styles.frame} aria-label={t`Transfers to and from here`}>
      {list.length > 1 && <Summary list={list} now={now} />}
      <ul className={`${rows.rows} ${styles.transfers}`} aria-label={t`Transfers`}>
        {shown.map((transfer) => (
          <Row key={transfer.id} transfer={transfer} now={now} hasFolder={hasFolders} />
        ))}
        {shown.length < list.length && (
          <li className={styles.others}>{t`and ${formatCount(list.length - shown.length)} more`}</li>
        )}
      </ul>
    </section>
  );
}

const order = ['failed', 'running', 'waiting', 'cancelled', 'done'] as const;

/** The rows that fit: first what needs the person or is under way. */
const shownOf = (list: readonly Transfer[]): readonly Transfer[] =>
  order.flatMap((state) => list.filter((one) => one.state === state)).slice(0, MOST_ROWS);

const sum = (list: readonly Transfer[], of: (one: Transfer) => number): number =>
  list.reduce((total, one) => total + of(one), 0);

/** "12 MB/s, 40 s left", or what is known of it; empty before anything is. */
function paceOf(restBytes: number, speed: number | null): string {
  if (speed === null) return '';
  if (speed === 0) return t`no progress for a while`;
  const left = timeLeftMs(restBytes, speed);
  const pace = t`${formatFileSize(speed)}/s`;
  return left === null ? pace : t`${pace}, ${formatSetting(Math.max(1, Math.round(left / 1000)) * 1000)} left`;
}

function Summary({ list, now }: { list: readonly Transfer[]; now: number }) {
  const open = list.filter(isOpen);
  const finished = list.filter(isFinished);
  const failed = list.filter(({ state }) => state === 'failed');
  const taken = failed.filter(({ remedy }) => remedy === 'replace');
  const broken = failed.filter(({ remedy }) => remedy === 'go-on');
  const running = open.find(({ state }) => state === 'running');
  const rest = sum(open, ({ sizeBytes, doneBytes }) => sizeBytes - doneBytes);
  const facts = [
    t`${formatCount(list.filter(({ state }) => state === 'done').length)} of ${formatCount(list.length)} done`,
    failed.length > 0 && t`${formatCount(failed.length)} failed`,
    running && paceOf(rest, speedOf(running.progress, now)),
  ].filter((fact) => typeof fact === 'string' && fact !== '');
  const again = (some: readonly Transfer[]) => some.forEach(transferAgain);
  return (
    <div className={styles.summary}>
      <span>{facts.join(' · ')}</span>
      {taken.length > 1 && (
        <Button size="xs" variant="default" onClick={() => again(taken)}>
          {counted(taken.length, 'Replace 1', 'Replace all {0}')}
        </Button>
      )}
      {broken.length > 1 && (
        <Button size="xs" variant="default" onClick={() => again(broken)}>
          {counted(broken.length, 'Try 1 again', 'Try all {0} again')}
        </Button>
      )}
      {open.length > 1 && (
        <Button
          size="xs"
          variant="default"
          // The last one first, so that no waiting one begins meanwhile.
          onClick={() => open.toReversed().forEach(({ id }) => cancelTransfer(id))}
        >{t`Cancel all`}</Button>
      )}
      {finished.length > 0 && (
        <Button
          size="xs"
          variant="subtle"
          onClick={() => forgetTransfers(finished.map(({ id }) => id))}
        >{t`Clear finished`}</Button>
      )}
    </div>
  );
}

const words = {
  waiting: t`Waits`,
  done: t`Done`,
  failed: t`Failed`,
  cancelled: t`Cancelled`,
};

const icons = { up: Upload, down: Download, copy: Copy, move: FolderInput };
const ways = { up: t`Upload`, down: t`Download`, copy: t`Copy`, move: t`Move` };

const remedies: Record<NonNullable<Transfer['remedy']>, string> = {
  replace: t`Replace it`,
  'start-over': t`Start over`,
  'go-on': t`Try again`,
};

function wordsOf({ state, stage, problem, sizeBytes, doneBytes, progress }: Transfer, now: number): string {
  if (state !== 'running') {
    const more = state === 'done' ? `, ${formatFileSize(sizeBytes)}` : problem === null ? '' : `: ${problem}`;
    return words[state] + more;
  }
  if (stage === 'count') return t`Reading the folders…`;
  if (stage === 'compare') return t`Comparing: ${formatFileSize(doneBytes)} of ${formatFileSize(sizeBytes)}`;
  const done = t`${formatFileSize(doneBytes)} of ${formatFileSize(sizeBytes)}`;
  const pace = paceOf(sizeBytes - doneBytes, speedOf(progress, now));
  return pace === '' ? done : `${done} · ${pace}`;
}

interface RowProps {
  transfer: Transfer;
  now: number;
  /** Whether it is named with its folder. */
  hasFolder: boolean;
}

function Row({ transfer, now, hasFolder }: RowProps) {
  const { id, way, name, path, sizeBytes, doneBytes, stage, state, remedy } = transfer;
  const Icon = state === 'done' ? Check : state === 'failed' ? CircleAlert : icons[way];
  const share = stage === 'count' ? 0 : sizeBytes === 0 ? 100 : (doneBytes / sizeBytes) * 100;
  return (
    <li data-state={state}>
      <Icon size={14} aria-hidden />
      <b>
        <MiddleCut text={hasFolder ? path : name} title={`/${path}`} />
      </b>
      <span className={rows.how}>
        {state === 'running' && (
          // A transition would draw 60 frames a second, which costs a fifth of the processor time of an upload.
          <Progress value={share} size="sm" transitionDuration={0} aria-label={t`${ways[way]} of ${name}`} />
        )}
        <span>{wordsOf(transfer, now)}</span>
      </span>
      {remedy !== null && (
        <Button
          size="xs"
          variant={state === 'cancelled' ? 'subtle' : 'default'}
          aria-label={`${remedies[remedy]}: ${name}`}
          onClick={() => transferAgain(transfer)}
        >
          {remedies[remedy]}
        </Button>
      )}
      <LastButton
        stop={t`Cancel`}
        stopLabel={t`Cancel ${name}`}
        onStop={isOpen(transfer) ? () => cancelTransfer(id) : null}
        forgetLabel={t`Forget ${name}`}
        onForget={() => forgetTransfers([id])}
      />
    </li>
  );
}
