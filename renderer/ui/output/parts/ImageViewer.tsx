/** One picture in full: as large as the window, or at another size, with arrows to the others. */
import { useRef, type KeyboardEvent } from 'react';
import { ActionIcon, Button, Group, Modal, Text } from '@mantine/core';
import { ChevronLeft, ChevronRight, ZoomIn, ZoomOut } from 'lucide-react';
import { formatBytes, formatPercent } from '../../text/format.ts';
import { CopyImage, type ShownImage } from './CopyImage.tsx';
import styles from './media.module.css';
import { dragToMove, useZoom } from './useZoom.ts';
import { useFocusBack } from '../../keyboard/useFocusBack.ts';
import { ReasonIcon } from '../../popover/ReasonButton.tsx';
import { t } from '../../../language/text.ts';

/** A small picture is enlarged up to so many times. */
const MOST_ENLARGED = 8;

const fittedWidth = ({ width, height }: ShownImage): string =>
  `min(100cqw, ${width / height} * 100cqh, ${MOST_ENLARGED * width}px)`;

interface ImageViewerProps {
  images: readonly ShownImage[];
  /** The number of the open picture. */
  number: number;
  onNumber: (number: number) => void;
  /** Null: it is saved elsewhere. */
  onSave: ((image: ShownImage) => void) | null;
  onClose: () => void;
}

export function ImageViewer({ images, number, onNumber, onSave, onClose }: ImageViewerProps) {
  const at = Math.max(
    0,
    images.findIndex((image) => image.number === number),
  );
  const image = images[at];
  const picture = useRef<HTMLImageElement>(null);
  const { setFrame, scale, setScale, step } = useZoom(picture, image?.width ?? 1);
  const go = (by: number) => {
    const next = images[at + by];
    if (!next) return;
    setScale(null);
    onNumber(next.number);
  };
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key === 'ArrowLeft') go(-1);
    if (key === 'ArrowRight') go(1);
    if (key === '+' || key === '=') step(1);
    if (key === '-') step(-1);
    if (key === '0') setScale(null);
    if (key === '1') setScale(1);
  };
  useFocusBack(true);
  if (!image) return null;
  return (
    <Modal
      opened
      onClose={onClose}
      fullScreen
      classNames={{ content: styles.viewerWindow ?? '', body: styles.viewer ?? '' }}
      transitionProps={{ duration: 0 }}
      title={images.length > 1 ? t`Image ${image.number} of ${images.length}` : t`Image`}
      onKeyDown={onKeyDown}
    >
      <div
        ref={setFrame}
        className={styles.stage}
        {...dragToMove}
        tabIndex={0}
        role="region"
        aria-label={t`Picture`}
        title={t`Turn the wheel to zoom, drag to move. Keys: + and −, 0 fits, 1 is its own size.`}
      >
        <img
          ref={picture}
          src={image.address}
          alt={t`Image ${image.number} of the output`}
          draggable={false}
          style={{ width: scale === null ? fittedWidth(image) : image.width * scale }}
        />
      </div>
      <Group gap={8} mt={10} mih={30}>
        {images.length > 1 && (
          <>
            <ReasonIcon
              aria-label={t`Previous image`}
              whyNot={at === 0 ? t`This is the first image.` : null}
              onClick={() => go(-1)}
            >
              <ChevronLeft size={16} aria-hidden />
            </ReasonIcon>
            <ReasonIcon
              aria-label={t`Next image`}
              whyNot={at === images.length - 1 ? t`This is the last image.` : null}
              onClick={() => go(1)}
            >
              <ChevronRight size={16} aria-hidden />
            </ReasonIcon>
          </>
        )}
        <Text c="dimmed">
          {image.type.name} · {image.width} × {image.height} · {formatBytes(image.bytes.size)}
        </Text>
        <Group gap={4} ml="auto">
          {scale !== null && <Text c="dimmed">{formatPercent(100 * scale)}</Text>}
          <ActionIcon aria-label={t`Zoom out`} onClick={() => step(-1)}>
            <ZoomOut size={16} aria-hidden />
          </ActionIcon>
          <ActionIcon aria-label={t`Zoom in`} onClick={() => step(1)}>
            <ZoomIn size={16} aria-hidden />
          </ActionIcon>
          <Button
            size="xs"
            variant="default"
            aria-pressed={scale !== null}
            onClick={() => setScale(scale === null ? 1 : null)}
          >
            {scale === null ? t`Actual size` : t`Fit`}
          </Button>
          <CopyImage key={image.number} image={image} variant="default" />
          {onSave && <Button size="xs" variant="default" onClick={() => onSave(image)}>{t`Save`}</Button>}
        </Group>
      </Group>
    </Modal>
  );
}
