/** Tray and nativeImage: what an app gives them, so that a test can read it and click. Nothing is drawn. */
import { Emitter, represented } from '../chromium/represented.ts';
import { afterReady } from '../chromium/runtime.ts';
import type { Menu } from './menu.ts';

class NativeImage extends Emitter {
  readonly size: Electron.Size;
  #bitmap: Buffer;
  #isTemplate = false;
  #isDense = false;

  constructor(bitmap: Buffer, size: Electron.Size) {
    // Without events; the base makes every member that is not here throw by its name.
    super([]);
    if (bitmap.length !== size.width * size.height * 4) throw new Error('invalid buffer size');
    this.#bitmap = bitmap;
    this.size = size;
  }

  isEmpty(): boolean {
    return this.#bitmap.every((byte) => byte === 0);
  }

  toBitmap(): Buffer {
    return this.#bitmap;
  }

  /** Not a PNG: only given back to `addRepresentation`. */
  toPNG(): Buffer {
    return this.#bitmap;
  }

  addRepresentation({ scaleFactor = 1 }: Electron.AddRepresentationOptions): void {
    this.#isDense ||= scaleFactor > 1;
  }

  getScaleFactors(): number[] {
    return this.#isDense ? [1, 2] : [1];
  }

  setTemplateImage(isTemplate: boolean): void {
    this.#isTemplate = isTemplate;
  }

  isTemplateImage(): boolean {
    return this.#isTemplate;
  }
}

export const nativeImage = represented<typeof Electron.nativeImage>('nativeImage', {
  createFromBitmap: (buffer, size) => new NativeImage(buffer, size) as unknown as Electron.NativeImage,
});

/** Those that show, for tests: Electron has no list of them. */
const shown = new Set<Tray>();

export class Tray extends Emitter {
  #image: Electron.NativeImage;
  #toolTip = '';
  #menu: Menu | null = null;
  #isDestroyed = false;

  constructor(image: Electron.NativeImage) {
    super(['click', 'right-click', 'double-click']);
    afterReady('Tray');
    if (image.isEmpty()) throw new Error('the picture of a tray is empty');
    this.#image = image;
    shown.add(this);
  }

  setImage(image: Electron.NativeImage): void {
    this.#image = image;
  }

  setToolTip(text: string): void {
    this.#toolTip = text;
  }

  setContextMenu(menu: Menu | null): void {
    this.#menu = menu;
  }

  destroy(): void {
    this.#isDestroyed = true;
    shown.delete(this);
  }

  isDestroyed(): boolean {
    return this.#isDestroyed;
  }

  /** For tests. */
  static shown(): { toolTip: string; menu: Menu | null; image: Electron.NativeImage }[] {
    return [...shown].map((tray) => ({ toolTip: tray.#toolTip, menu: tray.#menu, image: tray.#image }));
  }
}
