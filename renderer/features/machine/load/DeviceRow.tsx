/** One device of the computer in one row: its name, its users and its numbers. A click opens more below. */
import { useId, type ReactNode } from 'react';
import { ChevronDown, ChevronRight } from 'lucide-react';
import page from '../machine.module.css';
import styles from './load.module.css';

interface DeviceRowProps {
  /** For screen readers; it names the row. */
  name: string;
  title: string;
  /** What stands after the title, quieter. */
  facts: string;
  /** Who uses it now; absent where this is not known. */
  users?: ReactNode;
  metrics: ReactNode;
  /** Whether workers may not use it. */
  isOff?: boolean;
  isOpen: boolean;
  onToggle: () => void;
  /** Shown while the row is open. */
  children: ReactNode;
}

export function DeviceRow({ name, title, facts, users, metrics, isOff, isOpen, onToggle, children }: DeviceRowProps) {
  const detailsId = useId();
  const Arrow = isOpen ? ChevronDown : ChevronRight;
  return (
    <section className={styles.device} aria-label={name} data-off={isOff || undefined}>
      <div className={styles.row}>
        <div className={styles.title} data-open={isOpen || undefined}>
          <h3>
            <button
              type="button"
              aria-expanded={isOpen}
              aria-controls={isOpen ? detailsId : undefined}
              onClick={onToggle}
            >
              <Arrow size={14} aria-hidden />
              <span className={styles.deviceName}>{title}</span> <span className={page.quiet}>{facts}</span>
            </button>
          </h3>
          {users}
        </div>
        <div className={styles.metrics}>{metrics}</div>
      </div>
      {isOpen && (
        <div className={styles.details} id={detailsId}>
          {children}
        </div>
      )}
    </section>
  );
}
