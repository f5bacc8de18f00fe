/** A line or block that reports a problem or an empty list, its reason, and a remedy. */
import type { ReactNode } from 'react';
import { CircleAlert, Info, TriangleAlert } from 'lucide-react';
import styles from '../theme/pieces.module.css';

const icons = { bad: CircleAlert, wait: TriangleAlert, off: Info };

interface NoticeProps {
  tone: keyof typeof icons;
  title: string;
  children?: ReactNode;
  /** Blocks below the text, such as commands to copy. */
  more?: ReactNode;
  action?: ReactNode;
}

export function Notice({ tone, title, children, more, action }: NoticeProps) {
  const Icon = icons[tone];
  return (
    <div className={styles.notice} data-tone={tone} role={tone === 'bad' ? 'alert' : 'status'}>
      <Icon size={15} aria-hidden className={styles.noticeIcon} />
      <div className={styles.noticeText}>
        <strong>{title}</strong>
        {children !== undefined && <span>{children}</span>}
        {more}
      </div>
      {action && <div className={styles.noticeActions}>{action}</div>}
    </div>
  );
}

interface EmptyProps {
  title: string;
  /** Shows the sign of the tone above the title: something failed, and the place is not just empty. */
  tone?: keyof typeof icons;
  children?: ReactNode;
  /** Shown between the text and the action. */
  more?: ReactNode;
  action?: ReactNode;
}

export function Empty({ title, tone, children, more, action }: EmptyProps) {
  const Icon = tone && icons[tone];
  return (
    <div className={styles.empty} data-tone={tone}>
      {Icon && <Icon size={20} strokeWidth={1.75} aria-hidden />}
      <strong>{title}</strong>
      {children !== undefined && <p>{children}</p>}
      {more}
      {action}
    </div>
  );
}
