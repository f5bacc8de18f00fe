/** Files of an output. */
import type { Media } from '../media.ts';
import type { PartProps } from '../partProps.ts';
import { MediaWithConsent } from './MediaWithConsent.tsx';
import { FileCard } from './FileCard.tsx';
import styles from './media.module.css';

export default function FilesPart({ part: { media } }: PartProps<'files'>) {
  return (
    <div className={styles.list}>
      {media.map((one, index) => (
        <FileItem key={index} media={one} number={media.length > 1 ? index + 1 : null} />
      ))}
    </div>
  );
}

function FileItem({ media, number }: { media: Media; number: number | null }) {
  return (
    <MediaWithConsent media={media}>
      {(state) => <FileCard media={media} {...state} number={number} />}
    </MediaWithConsent>
  );
}
