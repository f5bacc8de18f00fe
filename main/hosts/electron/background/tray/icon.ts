/** Draws the tray icon: a hangar with a sign of its state, so that the state does not depend on colour alone. */
import { nativeImage } from 'electron';
import type { NativeImage } from 'electron';
import type { Activity } from '../activity.ts';

/** Size in points; a second picture has twice as many pixels for dense displays. */
const SIZE = 16;

/** Whether a point of the 16 by 16 square belongs to the picture. */
function isDrawn(state: Activity['state'], x: number, y: number): boolean {
  const inHangar = y < 14.5 && (x - 8) ** 2 + Math.max(0, 8.5 - y) ** 2 < 7.2 ** 2 && y > 1;
  switch (state) {
    case 'idle':
      // The open gate.
      return inHangar && !(y > 7 && Math.abs(x - 8) < 4);
    case 'running': {
      const inArrow = x > 6 && x < 11 && Math.abs(y - 9) < (11 - x) * 0.8;
      return inHangar && !inArrow;
    }
    case 'paused': {
      const inBars = Math.abs(y - 9) < 3.2 && Math.abs(Math.abs(x - 8) - 1.9) < 1;
      return inHangar && !inBars;
    }
    case 'problem': {
      const inMark = Math.abs(x - 8) < 1 && ((y > 4 && y < 9.5) || (y > 10.5 && y < 12.5));
      return inHangar && !inMark;
    }
  }
}

function bitmap(state: Activity['state'], scale: number, brightness: number): Buffer {
  const side = SIZE * scale;
  const pixels = Buffer.alloc(side * side * 4);
  for (let row = 0; row < side; row += 1) {
    for (let column = 0; column < side; column += 1) {
      // Four samples of each pixel, for smooth edges.
      const points = [0.25, 0.75].flatMap((dx) => [0.25, 0.75].map((dy) => [dx, dy] as const));
      const drawn = points.filter(([dx, dy]) => isDrawn(state, (column + dx) / scale, (row + dy) / scale)).length;
      const alpha = Math.round((drawn / points.length) * 255);
      // Colours are premultiplied by their alpha.
      const value = Math.round((brightness * alpha) / 255);
      pixels.set([value, value, value, alpha], (row * side + column) * 4);
    }
  }
  return pixels;
}

/** `isDark`: whether the system bar is dark. macOS colours the picture itself. */
export function trayIcon(state: Activity['state'], platform: NodeJS.Platform, isDark: boolean): NativeImage {
  const brightness = platform !== 'darwin' && isDark ? 255 : 32;
  const image = nativeImage.createFromBitmap(bitmap(state, 1, brightness), { width: SIZE, height: SIZE });
  const dense = { width: SIZE * 2, height: SIZE * 2, scaleFactor: 2 };
  image.addRepresentation({
    ...dense,
    buffer: nativeImage.createFromBitmap(bitmap(state, 2, brightness), dense).toPNG(),
  });
  if (platform === 'darwin') image.setTemplateImage(true);
  return image;
}
