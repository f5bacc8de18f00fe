/** One picture, sound, film or file where it stands: the smallest view of any media. */
import { useState } from 'react';
import type { Media } from '../media.ts';
import { useMediaBytes } from '../useMediaBytes.ts';
import { AskHost } from './AskHost.tsx';
import { FileCard } from './FileCard.tsx';
import styles from './media.module.css';
import { t } from '../../../language/text.ts';

interface MediaItemProps {
  media: Media;
  /** What the output calls it; may be empty. */
  label: string;
  /** Whether it stands within text. */
  inline?: boolean;
}

export function MediaItem({ media, label, inline = false }: MediaItemProps) {
  const [allowed, setAllowed] = useState(false);
  const { loaded, problem } = useMediaBytes(media, allowed);
  const { source } = media;
  if (source.kind === 'remote' && loaded === null) {
    return (
      <AskHost
        media={[media]}
        host={source.host}
        loading={allowed && problem === null}
        problem={problem}
        onAgree={() => setAllowed(true)}
      />
    );
  }
  if (loaded?.type.kind === 'image') {
    return (
      <span className={inline ? styles.inline : undefined}>
        <img src={loaded.address} alt={label || t`Picture of the output`} />
      </span>
    );
  }
  return <FileCard media={media} loaded={loaded} problem={problem} label={label} />;
}
