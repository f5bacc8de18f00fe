/** Media on another host: the host is asked only after a click on a button that names it. */
import { Button } from '@mantine/core';
import { Globe } from 'lucide-react';
import { CopyButton } from '../../primitives/CopyButton.tsx';
import type { Media } from '../media.ts';
import styles from './media.module.css';
import { t } from '../../../language/text.ts';

interface AskHostProps {
  /** All on the same host. */
  media: readonly Media[];
  host: string;
  /** Whether the answer is awaited. */
  loading: boolean;
  /** Why the last try failed; null if there was none. */
  problem: string | null;
  onAgree: () => void;
}

const kindWords = { image: 'picture', audio: 'sound', video: 'video', file: 'file' } as const;

export function AskHost({ media, host, loading, problem, onAgree }: AskHostProps) {
  const [first] = media;
  const kind = kindWords[first?.type.kind ?? 'file'];
  const url = first?.source.kind === 'remote' ? first.source.url : '';
  return (
    <div className={styles.card}>
      <Globe size={16} aria-hidden />
      <span className={styles.cardText}>
        <strong>{media.length === 1 ? `A ${kind}` : `${media.length} ${kind}s`}</strong> {t`on ${host}`}
        {problem !== null && <span className={styles.problem}>. {problem}</span>}
        <span className={styles.address} title={url}>
          {url}
        </span>
      </span>
      <CopyButton text={url} what={t`address`} />
      <Button size="xs" variant="default" loading={loading} onClick={onAgree}>{t`Load from ${host}`}</Button>
    </div>
  );
}
