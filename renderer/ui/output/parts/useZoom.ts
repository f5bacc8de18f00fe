/** The size at which a picture is shown in a frame that scrolls: fitted to the frame, or so many times its own size. */
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState, type PointerEvent, type RefObject } from 'react';

const LEAST = 0.05;
const MOST = 16;
/** What one step of a key, a button or the wheel multiplies by. */
const STEP = 1.25;

interface Anchor {
  /** A place in the picture, from 0 to 1 of its width and height. */
  x: number;
  y: number;
  /** Where that place is in the window, in CSS pixels. */
  clientX: number;
  clientY: number;
}

export interface Zoom {
  /** For the frame, which is there later than the dialog around it. */
  setFrame: (frame: HTMLDivElement | null) => void;
  /** Times its own size; null: fitted. */
  scale: number | null;
  setScale: (scale: number | null) => void;
  /** Larger (1) or smaller (-1) by a step, around the middle of the frame. */
  step: (direction: 1 | -1) => void;
}

/** `width`: the picture's own width in pixels. */
export function useZoom(picture: RefObject<HTMLImageElement | null>, width: number): Zoom {
  const [frame, setFrame] = useState<HTMLDivElement | null>(null);
  const [scale, setScale] = useState<number | null>(null);
  /** What stays where it is while the size changes. */
  const anchor = useRef<Anchor>(null);

  const zoomAt = (factor: number, clientX: number, clientY: number) => {
    if (picture.current === null) return;
    const shown = picture.current.getBoundingClientRect();
    const next = Math.min(MOST, Math.max(LEAST, (shown.width / width) * factor));
    anchor.current = {
      x: (clientX - shown.left) / shown.width,
      y: (clientY - shown.top) / shown.height,
      clientX,
      clientY,
    };
    setScale(next);
  };
  const step = (direction: 1 | -1) => {
    const room = frame?.getBoundingClientRect();
    if (room) zoomAt(STEP ** direction, room.left + room.width / 2, room.top + room.height / 2);
  };

  useLayoutEffect(() => {
    const [to, inner] = [anchor.current, picture.current];
    anchor.current = null;
    if (to === null || frame === null || inner === null) return;
    const shown = inner.getBoundingClientRect();
    const [left, top] = [shown.left + to.x * shown.width - to.clientX, shown.top + to.y * shown.height - to.clientY];
    frame.scrollBy({ left, top, behavior: 'instant' });
  }, [scale, frame, picture]);

  const turn = useEffectEvent((event: WheelEvent) => {
    // Sideways it scrolls, as everywhere.
    if (event.deltaY === 0) return;
    event.preventDefault();
    zoomAt(event.deltaY < 0 ? STEP : 1 / STEP, event.clientX, event.clientY);
  });
  useEffect(() => {
    const onWheel = (event: WheelEvent) => turn(event);
    // React's own handler cannot prevent the scroll.
    frame?.addEventListener('wheel', onWheel, { passive: false });
    return () => frame?.removeEventListener('wheel', onWheel);
  }, [frame]);

  return { setFrame, scale, setScale, step };
}

/** For the frame: a drag with the mouse moves the picture. A finger scrolls by itself. */
export const dragToMove = {
  onPointerDown(event: PointerEvent<HTMLDivElement>): void {
    if (event.button === 0 && event.pointerType === 'mouse') event.currentTarget.setPointerCapture(event.pointerId);
  },
  onPointerMove({ currentTarget, pointerId, movementX, movementY }: PointerEvent<HTMLDivElement>): void {
    if (!currentTarget.hasPointerCapture(pointerId)) return;
    currentTarget.scrollLeft -= movementX;
    currentTarget.scrollTop -= movementY;
  },
};
