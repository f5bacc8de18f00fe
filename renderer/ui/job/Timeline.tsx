/** The timeline of one job: a bar of its phases with direct labels. */
import type { ReactNode } from 'react';
import { phasesOf, timesOf, type Phase } from '#contract/app/jobs/times.ts';
import type { LedgerEntry } from '#contract/app/ledger.ts';
import { formatDuration } from '../text/format.ts';
import styles from './job.module.css';
import { t } from '../../language/text.ts';

interface TimelineProps {
  entry: LedgerEntry;
  now: number;
  /** Whether the last phase goes on before the eyes of the person. */
  isLive: boolean;
  /** Stands behind the labels, or below them where it has no room. */
  children?: ReactNode;
}

const phaseWords: Readonly<Record<Phase['name'], string>> = {
  queued: t`queued`,
  workerStart: t`worker start`,
  running: t`running`,
};

const waitedInAll = (ms: number): string => t`waited ${formatDuration(ms)} in all`;

export function Timeline({ entry, now, isLive, children }: TimelineProps) {
  const phases = phasesOf(entry, now);
  // The phases share the whole bar: how much of the job is left is not known, so no rest of the bar may say it.
  const total = Math.max(
    1,
    phases.reduce((sum, { ms }) => sum + ms, 0),
  );
  const live = isLive ? phases.at(-1)?.name : undefined;
  const words = phases.map(({ name, ms }) => `${phaseWords[name]} ${formatDuration(ms)}`);
  // The lists say in one number how long a job waited.
  const { waited } = timesOf(entry, now);
  const inParts = waited !== null && phases.some(({ name }) => name === 'workerStart');
  if (inParts) words.push(waitedInAll(waited));
  return (
    <div className={styles.timeline}>
      <div className={styles.bar} role="img" aria-label={t`Timeline: ${words.join(', ')}`}>
        {phases.map((phase) => (
          <i
            key={phase.name}
            data-phase={phase.name}
            data-live={phase.name === live || undefined}
            style={{ width: `${(100 * phase.ms) / total}%` }}
          />
        ))}
      </div>
      <div className={styles.labelRow}>
        <div className={styles.labels} data-many={phases.length + Number(inParts) > 2 || undefined} aria-hidden>
          {phases.map(({ name, ms }) => (
            <span key={name}>
              <i data-phase={name} />
              {phaseWords[name]} <b>{formatDuration(ms)}</b>
            </span>
          ))}
          {inParts && <span className={styles.inAll}>{waitedInAll(waited)}</span>}
        </div>
        {children}
      </div>
    </div>
  );
}
