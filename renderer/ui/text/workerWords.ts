/** The workers of a target in words: "2 workers idle, 1 running". */
import { formatCount } from './format.ts';
import { counted, t } from '../../language/text.ts';

type Count = 'initializing' | 'idle' | 'running';

const order: readonly Count[] = ['initializing', 'idle', 'running'];

/** The first count names what is counted. */
const firstWords = (of: Count, count: number): string => {
  const shown = formatCount(count);
  switch (of) {
    case 'initializing':
      return counted(count, '{0} worker starting', '{0} workers starting', shown);
    case 'idle':
      return counted(count, '{0} worker idle', '{0} workers idle', shown);
    case 'running':
      return counted(count, '{0} worker running', '{0} workers running', shown);
  }
};

const moreWords: Record<Count, (count: string) => string> = {
  initializing: (count) => t`${count} starting`,
  idle: (count) => t`${count} idle`,
  running: (count) => t`${count} running`,
};

/** The workers in words, by state. States without a worker are left out. */
export function workerWords(counts: Readonly<Record<Count, number>>): string {
  const present = order.filter((of) => counts[of] > 0);
  if (present.length === 0) return t`no worker`;
  return present
    .map((of, index) => (index === 0 ? firstWords(of, counts[of]) : moreWords[of](formatCount(counts[of]))))
    .join(', ');
}
