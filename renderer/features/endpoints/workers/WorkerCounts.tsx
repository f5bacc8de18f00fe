/** How many workers there are in each state: a shape, a number and a word. */
import { Circle, CircleDashed, Play, TriangleAlert, type LucideIcon } from 'lucide-react';
import type { Health } from '#contract/api/job.ts';
import styles from './counts.module.css';
import { t } from '../../../language/text.ts';

interface Kind {
  of: (workers: Health['workers']) => number;
  word: string;
  /** Explains the word. */
  hint?: string;
  icon: LucideIcon;
  tone: 'wait' | 'run' | 'ok' | 'bad';
}

const kinds: readonly Kind[] = [
  { of: ({ running }) => running, word: t`running`, icon: Play, tone: 'run' },
  { of: ({ idle }) => idle, word: t`idle`, icon: Circle, tone: 'ok' },
  { of: ({ initializing }) => initializing, word: t`starting`, icon: CircleDashed, tone: 'wait' },
  {
    of: ({ unhealthy }) => unhealthy,
    word: t`failing`,
    hint: t`Workers that crashed or cannot start. Where there is none now, the last one counts until another one works.`,
    icon: TriangleAlert,
    tone: 'bad',
  },
];

export function WorkerCounts({ workers }: { workers: Health['workers'] | undefined }) {
  if (!workers) return <>–</>;
  const there = kinds.map((kind) => ({ ...kind, count: kind.of(workers) })).filter(({ count }) => count > 0);
  if (there.length === 0) return <span className={styles.none}>{t`none`}</span>;
  return (
    <span className={styles.workers} data-several={there.length > 1 || undefined}>
      {there.map(({ word, hint, icon: Icon, tone, count }) => (
        <span key={word} data-tone={tone} title={hint ?? `${count} ${word}`}>
          <Icon size={10} strokeWidth={2.6} aria-hidden />
          {count} <span className={styles.word}>{word}</span>
        </span>
      ))}
    </span>
  );
}
