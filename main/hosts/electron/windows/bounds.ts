/** The state of the windows in a small file. A window whose display is gone moves back into sight. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Logger } from 'pino';
import * as z from 'zod';
import { readStateFile } from '../stateFile.ts';

export const minimumSize = { width: 900, height: 600 };
const firstSize = { width: 1280, height: 840 };
/** A window must overlap a display by this many pixels, so that a person can drag it. */
const gripPx = 120;

const rectangle = z.object({ x: z.int(), y: z.int(), width: z.int(), height: z.int() });
const savedSchema = z.object({
  bounds: rectangle,
  maximized: z.boolean().default(false),
  fullScreen: z.boolean().default(false),
  /** The page of the window, with its `#`; empty for the first page. */
  address: z
    .string()
    .regex(/^(#\/.*)?$/)
    .max(2000)
    .default(''),
});
/** Earlier versions stored a single window. */
const fileSchema = z.union([
  z.object({ windows: z.array(savedSchema).max(20) }).transform(({ windows }) => windows),
  savedSchema.transform((window) => [window]),
]);
export type Rectangle = z.infer<typeof rectangle>;
export type SavedWindow = z.infer<typeof savedSchema>;

/** Empty at the first start, and if the file cannot be read: one default window then opens. */
export const readWindows = (file: string, logger: Logger): SavedWindow[] =>
  readStateFile(file, fileSchema, logger) ?? [];

/** Throws if the file cannot be written. */
export function writeWindows(file: string, windows: readonly SavedWindow[]): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify({ windows })}\n`);
}

function inSight(bounds: Rectangle, area: Rectangle): boolean {
  const across = Math.min(bounds.x + bounds.width, area.x + area.width) - Math.max(bounds.x, area.x);
  // A person drags a window by its title bar, so that row must be on the display.
  return across >= gripPx && bounds.y >= area.y && bounds.y < area.y + area.height - gripPx;
}

/** `areas` are the work areas of all displays. The system centres a window without a position. */
export function placeWindow(
  saved: Rectangle | null,
  areas: readonly Rectangle[],
): Partial<Rectangle> & { width: number; height: number } {
  const { width, height } = saved ?? firstSize;
  const size = { width: Math.max(width, minimumSize.width), height: Math.max(height, minimumSize.height) };
  const visible = saved !== null && areas.some((area) => inSight({ ...saved, ...size }, area));
  return visible ? { x: saved.x, y: saved.y, ...size } : size;
}

/** Offset of a new window from the last one, in pixels, so that both title bars are visible. */
const STEP = 28;

/** The bounds of a new window: the same size, beside the window in use. */
export const besideWindow = (bounds: Rectangle): Rectangle => ({ ...bounds, x: bounds.x + STEP, y: bounds.y + STEP });
