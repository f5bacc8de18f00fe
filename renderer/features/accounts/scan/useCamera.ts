/**
 * The camera of a dialog.
 *
 * - `starting`: the browser starts the camera, and may ask the person. At first, after `retry` and after `choose`.
 * - `on`: its picture is there. From `starting`.
 * - `off`: it cannot be used. From `starting`; at once where the browser gives the page no cameras; from `on`, when the
 *   camera is disconnected or the permission is taken back.
 *
 * The camera is stopped whenever `on` is left, also when the dialog closes.
 */
import { useEffect, useState } from 'react';

/** Why there is no picture. `insecure`: the browser gives no cameras to a page at this address. */
export type CameraProblem = 'insecure' | 'none' | 'refused' | 'busy' | 'lost' | 'failed';

export interface Camera {
  id: string;
  label: string;
}

export type CameraState =
  | { kind: 'starting' }
  | { kind: 'on'; stream: MediaStream; cameras: readonly Camera[]; chosen: string }
  | { kind: 'off'; problem: CameraProblem };

/** The errors of `getUserMedia`, by their names in the specification of media capture. */
const problems: Readonly<Record<string, CameraProblem>> = {
  NotAllowedError: 'refused',
  SecurityError: 'refused',
  NotFoundError: 'none',
  OverconstrainedError: 'none',
  NotReadableError: 'busy',
  AbortError: 'busy',
};

const problemOf = (error: unknown): CameraProblem =>
  (error instanceof DOMException ? problems[error.name] : undefined) ?? 'failed';

/** A browser gives a page that came over plain http from another computer no cameras at all. */
const hasCameras = (): boolean => 'mediaDevices' in navigator;

/** Without a choice, the camera at the back of a phone. A code needs no more pixels than these. */
const constraintsOf = (chosen: string | null): MediaStreamConstraints => ({
  video: {
    width: { ideal: 1280 },
    height: { ideal: 720 },
    ...(chosen === null ? { facingMode: { ideal: 'environment' } } : { deviceId: { exact: chosen } }),
  },
});

const stop = (stream: MediaStream): void => {
  for (const track of stream.getTracks()) track.stop();
};

async function start(chosen: string | null): Promise<CameraState> {
  let stream: MediaStream;
  try {
    stream = await navigator.mediaDevices.getUserMedia(constraintsOf(chosen));
  } catch (error) {
    return { kind: 'off', problem: problemOf(error) };
  }
  // Their names are known only once a camera is allowed. Without the list, there is no choice.
  const devices = await navigator.mediaDevices.enumerateDevices().catch(() => []);
  const cameras = devices.flatMap(({ kind, deviceId: id, label }) => (kind === 'videoinput' ? { id, label } : []));
  return { kind: 'on', stream, cameras, chosen: stream.getVideoTracks()[0]?.getSettings().deviceId ?? '' };
}

interface UsedCamera {
  state: CameraState;
  /** Uses the camera with this id from now on. */
  choose: (id: string) => void;
  retry: () => void;
}

export function useCamera(): UsedCamera {
  /** A new object starts the camera anew. */
  const [wanted, setWanted] = useState<{ chosen: string | null }>({ chosen: null });
  const [state, setState] = useState<CameraState>(
    hasCameras() ? { kind: 'starting' } : { kind: 'off', problem: 'insecure' },
  );
  useEffect(() => {
    if (!hasCameras()) return undefined;
    let used: MediaStream | null = null;
    let isOver = false;
    void start(wanted.chosen).then((started) => {
      if (started.kind === 'on') {
        if (isOver) return stop(started.stream);
        used = started.stream;
        used.getVideoTracks()[0]?.addEventListener('ended', () => {
          if (!isOver) setState({ kind: 'off', problem: 'lost' });
        });
      }
      if (!isOver) setState(started);
      return undefined;
    });
    return () => {
      isOver = true;
      if (used !== null) stop(used);
    };
  }, [wanted]);
  const startAnew = (chosen: string | null) => {
    setState({ kind: 'starting' });
    setWanted({ chosen });
  };
  return { state, choose: startAnew, retry: () => startAnew(null) };
}
