/** The pictures of a row as thumbnails, from the output of its job alone: no other host is asked. A click opens one. */
import { useState, type ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../../client/transport/orpc.ts';
import { saveFile } from '../../../ui/files/saveFile.ts';
import { savedName, type Media } from '../../../ui/output/media.ts';
import type { ShownImage } from '../../../ui/output/parts/CopyImage.tsx';
import { ImageViewer } from '../../../ui/output/parts/ImageViewer.tsx';
import { readOutput } from '../../../ui/output/readOutput.ts';
import { useMediaBytes } from '../../../ui/output/useMediaBytes.ts';
import styles from './batch.module.css';
import { formatCount } from '../../../ui/text/format.ts';
import { t } from '../../../language/text.ts';

/** A longer output is read only in its job: a table shows many of them. Characters. */
const LONGEST = 8_000_000;
const SHOWN = 4;
const UNUSED_MS = 10_000;

/** The pictures that an output has in itself; none if it is too long. */
async function readPictures(entryId: string, signal: AbortSignal): Promise<Media[]> {
  let text = '';
  for await (const piece of await api.jobs.output({ entryId }, { signal })) {
    text += piece;
    if (text.length > LONGEST) return [];
  }
  const images = readOutput(text).flatMap((part) => (part.kind === 'images' ? part.media : []));
  return images.filter(({ source }) => source.kind !== 'remote');
}

interface OutputPicturesProps {
  entryId: string;
  /** Which input of the list it is, from 1, which names the saved files. */
  input: number;
  /** The output in words, where its pictures cannot be shown. */
  words: ReactNode;
}

export function OutputPictures({ entryId, input, words }: OutputPicturesProps) {
  const { data: media = [] } = useQuery({
    queryKey: ['batch', 'pictures', entryId],
    queryFn: ({ signal }) => readPictures(entryId, signal),
    staleTime: Infinity,
    gcTime: UNUSED_MS,
    retry: false,
  });
  const [shown, setShown] = useState<ReadonlyMap<number, ShownImage>>(new Map());
  const [open, setOpen] = useState<number | null>(null);
  if (media.length === 0) return words;
  const images = media.flatMap((_, index) => shown.get(index + 1) ?? []);
  const isAlone = media.length === 1;
  const save = ({ bytes, type, number }: ShownImage) => {
    const one = media[number - 1];
    if (one) saveFile(bytes, savedName(one, type, t`input-${input}`, isAlone ? null : number));
  };
  return (
    <span className={styles.pictures}>
      {media.slice(0, SHOWN).map((one, index) => (
        <Picture
          key={index}
          media={one}
          name={nameOf(isAlone ? null : index + 1, input)}
          onShown={(image) => setShown((before) => new Map(before).set(index + 1, { ...image, number: index + 1 }))}
          onOpen={() => setOpen(index + 1)}
        />
      ))}
      {media.length > SHOWN && <span className={styles.rest}>+{formatCount(media.length - SHOWN)}</span>}
      {open !== null && (
        <ImageViewer images={images} number={open} onNumber={setOpen} onSave={save} onClose={() => setOpen(null)} />
      )}
    </span>
  );
}

/** What the button of a picture does. `number`: from 1; null for the only one. */
const nameOf = (number: number | null, input: number): string =>
  number === null ? t`Open the image of input ${input}` : t`Open image ${number} of input ${input}`;

interface PictureProps {
  media: Media;
  /** What its button does. */
  name: string;
  onShown: (image: Omit<ShownImage, 'number'>) => void;
  onOpen: () => void;
}

function Picture({ media, name, onShown, onOpen }: PictureProps) {
  const { loaded } = useMediaBytes(media, false);
  if (loaded === null) return null;
  return (
    <button
      type="button"
      className={styles.picture}
      aria-label={name}
      onClick={(event) => {
        // The row would open its job.
        event.stopPropagation();
        onOpen();
      }}
    >
      <img
        src={loaded.address}
        alt=""
        onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) =>
          onShown({ ...loaded, width, height })
        }
      />
    </button>
  );
}
