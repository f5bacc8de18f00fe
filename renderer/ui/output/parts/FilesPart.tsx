/** Files of an output. */
import { useState } from 'react';
import type { Media } from '../media.ts';
import type { PartProps } from '../partProps.ts';
import { useMediaBytes } from '../useMediaBytes.ts';
import { AskHost } from './AskHost.tsx';
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
  const [allowed, setAllowed] = useState(false);
  const { loaded, problem } = useMediaBytes(media, allowed);
  const { source } = media;
  if (source.kind !== 'remote' || loaded !== null) {
    return <FileCard media={media} loaded={loaded} problem={problem} number={number} />;
  }
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
