/** Sound and films of an output, with the controls of the browser. */
import { useState } from 'react';
import { Button } from '@mantine/core';
import { saveFile } from '../../files/saveFile.ts';
import { formatBytes } from '../../text/format.ts';
import { useOutputFrame } from '../frame.ts';
import { savedName, type Media } from '../media.ts';
import type { PartProps } from '../partProps.ts';
import type { MediaBytes } from '../useMediaBytes.ts';
import { MediaWithConsent } from './MediaWithConsent.tsx';
import { FileCard } from './FileCard.tsx';
import styles from './media.module.css';
import { t } from '../../../language/text.ts';

export default function PlayersPart({ part: { media } }: PartProps<'players'>) {
  return (
    <div className={styles.list}>
      {media.map((one, index) => (
        <PlayerItem key={index} media={one} number={numberOf(media, index)} />
      ))}
    </div>
  );
}

/** Its place among those of its kind, from 1; null for the only one. */
function numberOf(media: readonly Media[], index: number): number | null {
  const isSame = ({ type }: Media): boolean => type.kind === media[index]?.type.kind;
  return media.filter(isSame).length > 1 ? media.slice(0, index + 1).filter(isSame).length : null;
}

interface ItemProps {
  media: Media;
  number: number | null;
}

function PlayerItem({ media, number }: ItemProps) {
  return (
    <MediaWithConsent media={media}>
      {({ loaded, problem }) =>
        loaded?.type.kind === 'audio' || loaded?.type.kind === 'video' ? (
          <Player media={media} loaded={loaded} number={number} />
        ) : (
          <FileCard media={media} loaded={loaded} problem={problem} number={number} />
        )
      }
    </MediaWithConsent>
  );
}

/** A browser plays not every codec: then it is a file. */
function Player({ media, loaded, number }: ItemProps & { loaded: MediaBytes }) {
  const { fileName, hasSave } = useOutputFrame();
  const [seconds, setSeconds] = useState<number | null>(null);
  const [refused, setRefused] = useState(false);
  const { address, bytes, type } = loaded;
  const Element = type.kind === 'video' ? 'video' : 'audio';
  const kind = type.kind === 'video' ? t`Video` : t`Audio`;
  const title = number === null ? kind : `${kind} ${number}`;
  const facts = [
    type.name,
    seconds !== null && Number.isFinite(seconds) && `${seconds.toFixed(1)} s`,
    formatBytes(bytes.size),
    refused && t`this browser cannot play it`,
  ].filter((fact) => fact !== false);
  return (
    <div className={styles.player}>
      <Element
        controls
        preload="metadata"
        src={address}
        aria-label={title}
        onLoadedMetadata={(event) => setSeconds(event.currentTarget.duration)}
        onError={() => setRefused(true)}
      />
      <div className={styles.bar}>
        <strong>{title}</strong>
        <span>{facts.join(' · ')}</span>
        {hasSave && (
          <span className={styles.barActions}>
            <Button
              size="xs"
              variant="default"
              onClick={() => saveFile(bytes, savedName(media, type, fileName, number))}
            >{t`Save`}</Button>
          </span>
        )}
      </div>
    </div>
  );
}
