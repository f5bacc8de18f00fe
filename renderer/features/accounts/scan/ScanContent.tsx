/** What the dialog that scans a code has in it: the camera, and a picture of the code in its place. */
import { useState } from 'react';
import { Button, FileButton, Select } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { Image } from 'lucide-react';
import { readPairingLink } from '#contract/app/pairingLink.ts';
import { hasFiles } from '../../../ui/files/strayDrops.ts';
import { Notice } from '../../../ui/primitives/Notice.tsx';
import { CameraView } from './CameraView.tsx';
import { cameraWords } from './cameraWords.ts';
import { codesOfPicture } from './qrReader.ts';
import { scanProblem } from './scannedCode.ts';
import { useCamera, type CameraState } from './useCamera.ts';
import styles from './scan.module.css';
import { t } from '../../../language/text.ts';

export interface ScanContentProps {
  /** Called once, with a pairing link. */
  onLink: (link: string) => void;
}

export default function ScanContent({ onLink }: ScanContentProps) {
  const camera = useCamera();
  /** Why the last code or picture pairs nothing. */
  const [problem, setProblem] = useState<string | null>(null);
  const takeTexts = (texts: readonly string[]) => {
    const link = texts.find((text) => readPairingLink(text) !== null);
    if (link !== undefined) onLink(link);
    else setProblem(scanProblem(texts[0] ?? ''));
  };
  const takePicture = async (file: File) => {
    setProblem(null);
    const texts = await codesOfPicture(file).catch(() => null);
    if (texts === null)
      setProblem(t`This browser cannot show “${file.name}” as a picture. Choose a PNG, JPEG or SVG file.`);
    else if (texts.length > 0) takeTexts(texts);
    else setProblem(t`No QR code was found in “${file.name}”. Use a sharp picture with the whole code in it.`);
  };
  const isOver = usePictures((file) => void takePicture(file), takeTexts);
  return (
    <div className={styles.content} data-over={isOver || undefined}>
      <p>{t`Hold the code before the camera. The other computer shows it in its settings, under Keys: "Pair another computer".`}</p>
      <Picture camera={camera.state} onCodes={takeTexts} onRetry={camera.retry} />
      {camera.state.kind === 'on' && camera.state.cameras.length > 1 && (
        <Select
          label={t`Camera`}
          data={camera.state.cameras.map(({ id, label }) => ({ value: id, label }))}
          value={camera.state.chosen}
          allowDeselect={false}
          onChange={(id) => {
            setProblem(null);
            if (id !== null) camera.choose(id);
          }}
        />
      )}
      {problem !== null && <Notice tone="wait" title={problem} />}
      <div className={styles.foot}>
        <FileButton accept="image/*" onChange={(file) => file && void takePicture(file)}>
          {(props) => (
            <Button
              {...props}
              variant="default"
              leftSection={<Image size={14} aria-hidden />}
            >{t`Choose a picture…`}</Button>
          )}
        </FileButton>
        <span>{t`A picture of the code works as well: choose it, paste it, or drop it here.`}</span>
      </div>
    </div>
  );
}

interface PictureProps {
  camera: CameraState;
  onCodes: (texts: readonly string[]) => void;
  onRetry: () => void;
}

function Picture({ camera, onCodes, onRetry }: PictureProps) {
  if (camera.kind === 'off') {
    const { title, text } = cameraWords(camera.problem);
    return (
      <Notice
        tone="wait"
        title={title}
        action={
          camera.problem !== 'insecure' && <Button size="xs" variant="default" onClick={onRetry}>{t`Try again`}</Button>
        }
      >
        {text}
      </Notice>
    );
  }
  return (
    <div className={styles.frame}>
      {camera.kind === 'on' ? (
        <CameraView stream={camera.stream} onCodes={onCodes} />
      ) : (
        <p role="status">{t`Starting the camera. If you are asked whether Hangar may use it, allow it.`}</p>
      )}
    </div>
  );
}

/** Before the window refuses files that nothing takes. */
const FIRST = { capture: true };

/**
 * Takes what is pasted or dropped anywhere in the window: a picture, or the link itself. Returns whether files are
 * dragged over the window.
 */
function usePictures(onPicture: (file: File) => void, onTexts: (texts: readonly string[]) => void): boolean {
  const [isOver, setIsOver] = useState(false);
  useWindowEvent('paste', ({ clipboardData }) => {
    const file = clipboardData?.files[0];
    const text = clipboardData?.getData('text/plain').trim() ?? '';
    if (file !== undefined) onPicture(file);
    else if (text !== '') onTexts([text]);
  });
  useWindowEvent(
    'dragover',
    (event) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setIsOver(true);
    },
    FIRST,
  );
  useWindowEvent('dragleave', ({ relatedTarget }) => {
    // Null: the pointer has left the window.
    if (relatedTarget === null) setIsOver(false);
  });
  useWindowEvent(
    'drop',
    (event) => {
      setIsOver(false);
      const file = event.dataTransfer?.files[0];
      if (file === undefined) return;
      event.preventDefault();
      onPicture(file);
    },
    FIRST,
  );
  return isOver;
}
