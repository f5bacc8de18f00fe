/** Pictures of an output as a grid. Each opens in full; all can be saved. */
import { Fragment, useEffect, useEffectEvent, useState } from 'react';
import { Button } from '@mantine/core';
import { zipOf } from '../../../client/files/zip.ts';
import { saveFile } from '../../files/saveFile.ts';
import { formatBytes, formatCount } from '../../text/format.ts';
import { useOutputFrame } from '../frame.ts';
import { savedName, type Media } from '../media.ts';
import type { PartProps } from '../partProps.ts';
import { useMediaBytes } from '../useMediaBytes.ts';
import { AskHost } from './AskHost.tsx';
import { CopyImage, type ShownImage } from './CopyImage.tsx';
import { FileCard } from './FileCard.tsx';
import { ImageViewer } from './ImageViewer.tsx';
import styles from './media.module.css';
import { counted, t } from '../../../language/text.ts';

export default function ImagesPart({ part: { media } }: PartProps<'images'>) {
  const { fileName, hasSave } = useOutputFrame();
  const [agreed, setAgreed] = useState<ReadonlySet<string>>(new Set());
  const [shown, setShown] = useState<ReadonlyMap<number, ShownImage>>(new Map());
  const [problems, setProblems] = useState<ReadonlyMap<number, string>>(new Map());
  const [openAt, setOpenAt] = useState<number | null>(null);
  const images = media.flatMap((_, index) => shown.get(index) ?? []);
  const alone = media.length === 1;
  /** Without those of a host that was not asked, or that did not answer. */
  const here = media.filter(({ source }, index) => source.kind !== 'remote' || shown.has(index)).length;

  /** The hosts that were not asked for all of theirs. Each is asked at the place of its first picture in the output. */
  const waiting = hostsOf(media).filter(({ indexes }) => !indexes.every((index) => shown.has(index)));

  const nameOf = ({ type, number }: ShownImage): string => {
    const one = media[number - 1];
    return one === undefined ? fileName : savedName(one, type, fileName, alone ? null : number);
  };
  const save = (image: ShownImage) => saveFile(image.bytes, nameOf(image));
  const saveAll = async () => {
    const [first, second] = images;
    // Browsers ask before they take many files of a page at once.
    if (second !== undefined) saveFile(await zipOf(entriesOf(images, nameOf)), `${fileName}.zip`);
    else if (first !== undefined) save(first);
  };
  return (
    <div role="group" aria-label={countWords(media.length)}>
      <div className={styles.grid} data-alone={alone || undefined}>
        {media.map((one, index) => {
          const unasked = waiting.find(({ indexes }) => indexes[0] === index);
          return (
            <Fragment key={index}>
              {unasked && (
                <div className={styles.ask}>
                  <AskHost
                    media={unasked.those}
                    host={unasked.host}
                    loading={agreed.has(unasked.host) && !unasked.indexes.some((at) => problems.has(at))}
                    problem={unasked.indexes.map((at) => problems.get(at)).find((words) => words !== undefined) ?? null}
                    onAgree={() => setAgreed(new Set([...agreed, unasked.host]))}
                  />
                </div>
              )}
              <Thumb
                media={one}
                number={index + 1}
                alone={alone}
                allowed={one.source.kind === 'remote' && agreed.has(one.source.host)}
                onShown={(image) => setShown((before) => new Map(before).set(index, image))}
                onProblem={(words) => setProblems((before) => new Map(before).set(index, words))}
                onOpen={() => setOpenAt(index)}
              />
            </Fragment>
          );
        })}
      </div>
      {images.length > 0 && (
        <div className={styles.bar}>
          <strong>
            {here === media.length
              ? countWords(here)
              : t`${formatCount(here)} of ${formatCount(media.length)} images loaded`}
          </strong>
          <span>{factsOf(images)}</span>
          <span className={styles.barActions}>
            {hasSave && (
              <Button size="xs" variant="subtle" onClick={() => void saveAll()}>
                {alone
                  ? t`Save`
                  : here === media.length
                    ? t`Save all (ZIP)`
                    : counted(here, 'Save {0} image', 'Save {0} images', formatCount(here))}
              </Button>
            )}
            {images[0] && alone && <CopyImage image={images[0]} />}
            <Button
              size="xs"
              variant="subtle"
              onClick={() => setOpenAt(media.findIndex((_, index) => shown.has(index)))}
            >{t`Open`}</Button>
          </span>
        </div>
      )}
      {openAt !== null && (
        <ImageViewer
          images={images}
          number={openAt + 1}
          onNumber={(number) => setOpenAt(number - 1)}
          onSave={hasSave ? save : null}
          onClose={() => setOpenAt(null)}
        />
      )}
    </div>
  );
}

async function* entriesOf(images: readonly ShownImage[], nameOf: (image: ShownImage) => string) {
  for (const image of images) yield { name: nameOf(image), input: image.bytes };
}

const countWords = (count: number): string => counted(count, '1 image', '{0} images');

const pixels = ({ width, height }: ShownImage): string => `${width} × ${height}`;

/** "PNG · 1024 × 1024 · 5.2 MB"; the sizes of different pictures are left out. */
function factsOf(images: readonly ShownImage[]): string {
  const total = images.reduce((sum, { bytes }) => sum + bytes.size, 0);
  const only = (values: string[]): string[] => (new Set(values).size === 1 ? values.slice(0, 1) : []);
  const names = [...new Set(images.map(({ type }) => type.name))].join(', ');
  return [names, ...only(images.map(pixels)), formatBytes(total)].join(' · ');
}

function hostsOf(media: readonly Media[]): { host: string; those: Media[]; indexes: number[] }[] {
  const hosts = new Map<string, { host: string; those: Media[]; indexes: number[] }>();
  for (const [index, one] of media.entries()) {
    if (one.source.kind !== 'remote') continue;
    const { host } = one.source;
    const group = hosts.get(host) ?? { host, those: [], indexes: [] };
    group.those.push(one);
    group.indexes.push(index);
    hosts.set(host, group);
  }
  return [...hosts.values()];
}

interface ThumbProps {
  media: Media;
  number: number;
  alone: boolean;
  allowed: boolean;
  onShown: (image: ShownImage) => void;
  onProblem: (words: string) => void;
  onOpen: () => void;
}

function Thumb({ media, number, alone, allowed, onShown, onProblem, onOpen }: ThumbProps) {
  const { loaded, problem } = useMediaBytes(media, allowed);
  const [refused, setRefused] = useState(false);
  const isRemote = media.source.kind === 'remote';
  const report = useEffectEvent(onProblem);
  useEffect(() => {
    if (problem !== null) report(problem);
  }, [problem]);
  if (loaded && (loaded.type.kind !== 'image' || refused)) {
    return <FileCard media={media} loaded={loaded} problem={refused ? t`this browser cannot show it` : null} />;
  }
  if (!loaded) {
    if (problem !== null && !isRemote) return <FileCard media={media} loaded={null} problem={problem} />;
    return isRemote ? null : <div className={styles.waiting} aria-hidden />;
  }
  return (
    <button
      type="button"
      className={styles.thumb}
      data-alone={alone || undefined}
      aria-label={t`Open image ${number}`}
      onClick={onOpen}
    >
      <img
        src={loaded.address}
        alt={t`Image ${number} of the output`}
        onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) =>
          onShown({ ...loaded, number, width, height })
        }
        onError={() => setRefused(true)}
      />
    </button>
  );
}
