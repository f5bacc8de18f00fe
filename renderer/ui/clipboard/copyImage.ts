/** Copies a picture to the clipboard. Browsers take only PNG there, so other pictures are drawn anew. */
import type { MediaBytes } from '../output/useMediaBytes.ts';

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

/** Whether the picture is in the clipboard now: a browser may refuse. */
export async function copyImage({ bytes, address, type }: MediaBytes): Promise<boolean> {
  try {
    const png = type.mime === 'image/png' ? bytes : await drawn(address);
    // oxlint-disable-next-line no-restricted-properties -- nothing else takes pictures; without it, this fails as without permission
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': png })]);
    return true;
  } catch {
    // No permission, or a picture that cannot be drawn.
    return false;
  }
}
