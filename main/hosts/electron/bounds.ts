/** Where the window was, kept in one small file, and moved back into sight when its display is gone. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import * as z from 'zod';

export const minimumSize = { width: 900, height: 600 };
const firstSize = { width: 1280, height: 840 };
/** As much of the window must be on a display, in pixels, that a person can take hold of it. */
const gripPx = 120;

const rectangle = z.object({ x: z.int(), y: z.int(), width: z.int(), height: z.int() });
const savedSchema = z.object({ bounds: rectangle, maximized: z.boolean() });
export type Rectangle = z.infer<typeof rectangle>;
export type SavedBounds = z.infer<typeof savedSchema>;

/** Null at first start, and for a file that cannot be read: the window then opens as at first. */
export function readBounds(file: string): SavedBounds | null {
  try {
    return savedSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return null;
  }
}

/** Throws where the file cannot be written. */
export function writeBounds(file: string, saved: SavedBounds): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(saved)}\n`);
}

function inSight(bounds: Rectangle, area: Rectangle): boolean {
  const across = Math.min(bounds.x + bounds.width, area.x + area.width) - Math.max(bounds.x, area.x);
  // The title bar is the grip: its row must be on the display.
  return across >= gripPx && bounds.y >= area.y && bounds.y < area.y + area.height - gripPx;
}

/** `areas` are the work areas of all displays. Without a position the system centres the window. */
export function placeWindow(
  saved: Rectangle | null,
  areas: readonly Rectangle[],
): Partial<Rectangle> & { width: number; height: number } {
  const { width, height } = saved ?? firstSize;
  const size = { width: Math.max(width, minimumSize.width), height: Math.max(height, minimumSize.height) };
  const visible = saved !== null && areas.some((area) => inSight({ ...saved, ...size }, area));
  return visible ? { x: saved.x, y: saved.y, ...size } : size;
}
