/** Images in terminals: sixel, and the inline images of iTerm. */
import type { Terminal } from '@xterm/xterm';

/**
 * A picture of 2048 × 2048 pixels is allowed. A terminal keeps 32 MB of decoded images; beyond that, the oldest ones
 * become placeholders. Longer sequences are dropped.
 */
const bounds = {
  pixelLimit: 2048 * 2048,
  storageLimit: 32,
  sixelSizeLimit: 8 * 1024 * 1024,
  iipSizeLimit: 8 * 1024 * 1024,
};

/** Loads the decoders, and adds them to the terminal unless it is gone by then. Without them, images are not shown. */
export async function showImages(terminal: Terminal, isGone: () => boolean): Promise<void> {
  const { ImageAddon } = await import('@xterm/addon-image');
  if (!isGone()) terminal.loadAddon(new ImageAddon(bounds));
}
