/** The last lines that a program has written; the end stays in sight until the person scrolls up. */
import { useFollowTail } from '../../../ui/scroll/useFollowTail.ts';
import overview from '../../../ui/theme/overview.module.css';
import styles from './handler.module.css';

export function LastLines({ lines, label }: { lines: readonly string[]; label: string }) {
  const { props } = useFollowTail<HTMLPreElement>(lines);
  if (lines.length === 0) return null;
  return (
    <pre
      {...props}
      className={`${overview.lastLines} ${styles.wrapped}`}
      tabIndex={0}
      aria-label={label}
      role="region"
      aria-live="off"
    >
      {lines.join('\n')}
    </pre>
  );
}
