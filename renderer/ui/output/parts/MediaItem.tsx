/** One picture, sound, film or file where it stands: the smallest view of any media. */
import type { Media } from '../media.ts';
import { MediaWithConsent } from './MediaWithConsent.tsx';
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
  return (
    <MediaWithConsent media={media}>
      {({ loaded, problem }) =>
        loaded?.type.kind === 'image' ? (
          <span className={inline ? styles.inline : undefined}>
            <img src={loaded.address} alt={label || t`Picture of the output`} />
          </span>
        ) : (
          <FileCard media={media} loaded={loaded} problem={problem} label={label} />
        )
      }
    </MediaWithConsent>
  );
}
