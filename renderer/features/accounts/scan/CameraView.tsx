/** The picture of a camera, in which codes are read until it is removed. */
import { useEffect, useRef } from 'react';
import { codesOfVideo } from './qrReader.ts';
import styles from './scan.module.css';
import { t } from '../../../language/text.ts';

/** Time between the end of one reading, which takes about 10 ms, and the next. */
const PAUSE_MS = 120;

interface CameraViewProps {
  stream: MediaStream;
  /** Called for each picture with codes, with their texts: at least one. */
  onCodes: (texts: readonly string[]) => void;
}

/** A person sees themselves as in a mirror, and what is behind the camera of a phone as it is. */
const isMirrored = (stream: MediaStream): boolean =>
  stream.getVideoTracks()[0]?.getSettings().facingMode !== 'environment';

export function CameraView({ stream, onCodes }: CameraViewProps) {
  const view = useRef<HTMLVideoElement>(null);
  const onCodesNow = useRef(onCodes);
  useEffect(() => {
    onCodesNow.current = onCodes;
  });
  useEffect(() => {
    const video = view.current;
    if (video === null) return undefined;
    let timer: ReturnType<typeof setTimeout>;
    let isOver = false;
    const read = async () => {
      const texts = await codesOfVideo(video);
      if (isOver) return;
      if (texts.length > 0) onCodesNow.current(texts);
      timer = setTimeout(() => void read(), PAUSE_MS);
    };
    video.srcObject = stream;
    void read();
    return () => {
      isOver = true;
      clearTimeout(timer);
      video.srcObject = null;
    };
  }, [stream]);
  return (
    <video
      ref={view}
      className={styles.video}
      data-mirrored={isMirrored(stream) || undefined}
      aria-label={t`The picture of the camera`}
      autoPlay
      muted
      playsInline
    />
  );
}
