/** Media on another host: the host is asked only after a click on a button that names it. */
import { Button } from '@mantine/core';
import { Globe } from 'lucide-react';
import { CopyButton } from '../../primitives/CopyButton.tsx';
import type { Media } from '../media.ts';
import type { MediaType } from '../mediaType.ts';
import styles from './media.module.css';
import { counted, rich, t } from '../../../language/text.ts';

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

/** The media in words, such as "A picture" or "3 sounds". */
const mediaTexts: Record<MediaType['kind'], (count: number) => string> = {
  image: (count) => counted(count, 'A picture', '{0} pictures'),
  audio: (count) => counted(count, 'A sound', '{0} sounds'),
  video: (count) => counted(count, 'A video', '{0} videos'),
  file: (count) => counted(count, 'A file', '{0} files'),
};

export function AskHost({ media, host, loading, problem, onAgree }: AskHostProps) {
  const [first] = media;
  const isOneFile = media.length === 1 && first?.type.kind === 'file';
  const words = (isOneFile && first.fileName) || mediaTexts[first?.type.kind ?? 'file'](media.length);
  const url = first?.source.kind === 'remote' ? first.source.url : '';
  return (
    <div className={styles.card}>
      <Globe size={16} aria-hidden />
      <span className={styles.cardText}>
        {rich`${<strong>{words}</strong>} on ${host}`}
        {problem !== null && <span className={styles.problem}>. {problem}</span>}
        <span className={styles.address} title={url}>
          {url}
        </span>
      </span>
      <CopyButton text={url} label={t`Copy address`} />
      <Button size="xs" variant="default" loading={loading} onClick={onAgree}>{t`Load from ${host}`}</Button>
    </div>
  );
}
