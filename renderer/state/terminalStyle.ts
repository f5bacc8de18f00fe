/** The size of the text in terminals, and how many lines above the screen are kept: choices of a person. */
import * as z from 'zod';
import { limits } from '#contract/core/limits.ts';
import { asJson, personalSetting } from './personalSetting.ts';

/** In pixels. */
export const fontSizes = { least: 8, usual: 13, most: 32 } as const;
/** In lines. */
export const scrollbacks = { least: 100, usual: limits.terminal.scrollback, most: 100_000 } as const;

const styleSchema = z.object({
  fontSize: z.int().min(fontSizes.least).max(fontSizes.most),
  scrollback: z.int().min(scrollbacks.least).max(scrollbacks.most),
});

export type TerminalStyle = z.output<typeof styleSchema>;

export const terminalStyle = personalSetting('terminals.style', asJson(styleSchema), {
  fontSize: fontSizes.usual,
  scrollback: scrollbacks.usual,
});

/** Makes the text larger or smaller by so many pixels, within its bounds. */
export function zoom(by: number): void {
  const style = terminalStyle.get();
  const fontSize = Math.min(Math.max(style.fontSize + by, fontSizes.least), fontSizes.most);
  terminalStyle.set({ ...style, fontSize });
}

export const resetZoom = (): void => void terminalStyle.set({ ...terminalStyle.get(), fontSize: fontSizes.usual });
