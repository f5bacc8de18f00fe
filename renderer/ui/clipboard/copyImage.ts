/** Copies a picture to the clipboard. Browsers take only PNG there, so other pictures are drawn anew. */
import { t } from '../../language/text.ts';
import type { MediaBytes } from '../output/useMediaBytes.ts';
import { writeLater } from './writeLater.ts';

async function drawn(address: string): Promise<Blob> {
  const image = new Image();
  image.src = address;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = image.naturalWidth;
  canvas.height = image.naturalHeight;
  canvas.getContext('2d')?.drawImage(image, 0, 0);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The picture has no pixels.'))), 'image/png');
  });
}

/** Why the browser copies no picture of this page; null if it does. */
export const whyNoImageCopy = (): string | null =>
  window.isSecureContext
    ? null
    : t`Browsers do not copy images from a page at an http address of another computer. Save the image instead, or open the page through an SSH tunnel.`;

/** Whether the picture is in the clipboard now. Call it on a click. */
export const copyImage = ({ bytes, address, type }: MediaBytes): Promise<boolean> =>
  writeLater('image/png', type.mime === 'image/png' ? Promise.resolve(bytes) : drawn(address));
