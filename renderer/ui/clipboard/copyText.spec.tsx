import { afterEach, expect, it, vi } from 'vitest';
import { copyImage } from './copyImage.ts';
import { copyWhenRead, type TextToCopy } from './copyText.ts';

/** What a ClipboardItem was made of. */
type Written = Record<string, Promise<Blob> | Blob>;

/** A clipboard of a browser, which takes what comes later only if it is given within the click. */
function stubClipboard(): { written: Written[]; texts: string[] } {
  const written: Written[] = [];
  const texts: string[] = [];
  vi.stubGlobal('isSecureContext', true);
  vi.stubGlobal(
    'ClipboardItem',
    class {
      readonly parts: Written;

      constructor(parts: Written) {
        this.parts = parts;
      }
    },
  );
  vi.stubGlobal('navigator', {
    clipboard: {
      write: async ([{ parts }]: [{ parts: Written }]) => {
        written.push(parts);
        await Promise.all(Object.values(parts).map((part) => Promise.resolve(part)));
      },
      writeText: (text: string) => {
        texts.push(text);
        return Promise.resolve();
      },
    },
  });
  return { written, texts };
}

afterEach(() => vi.unstubAllGlobals());

it('The browser gets a text that has yet to be read during the click', async () => {
  const { written, texts } = stubClipboard();
  let resolve: (read: TextToCopy) => void = () => undefined;
  const copied = copyWhenRead(new Promise<TextToCopy>((settle) => (resolve = settle)));
  expect(written).toHaveLength(1);
  resolve({ text: 'ssh a', done: 'Copied' });
  expect(await copied).toBe(true);
  expect(await (await written[0]?.['text/plain'])?.text()).toBe('ssh a');
  expect(texts).toEqual([]);
});

it('A browser that takes no promise gets the text once it is read', async () => {
  const { texts } = stubClipboard();
  vi.stubGlobal('ClipboardItem', undefined);
  expect(await copyWhenRead(Promise.resolve({ text: 'ssh a', done: 'Copied' }))).toBe(true);
  expect(texts).toEqual(['ssh a']);
});

it('A reading that finds nothing copies nothing', async () => {
  const { texts } = stubClipboard();
  expect(await copyWhenRead(Promise.resolve(null))).toBe(false);
  expect(texts).toEqual([]);
});

it('A reading that fails is the failure of the copy', async () => {
  stubClipboard();
  await expect(copyWhenRead(Promise.reject(new Error('the host is away')))).rejects.toThrow('the host is away');
});

it('The browser gets a picture that has yet to be drawn during the click', () => {
  const { written } = stubClipboard();
  void copyImage({
    bytes: new Blob(['x']),
    address: 'blob:x',
    type: { kind: 'image', mime: 'image/webp', name: 'WebP', extension: 'webp' },
  });
  expect(written).toHaveLength(1);
});
