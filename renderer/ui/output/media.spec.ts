import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bytesNamed, samples, toBase64 } from '../../../test/support/page/mediaSamples.ts';
import { blobOf, readMedia, savedName } from './media.ts';
import { isAnyBytes, sniff } from './mediaType.ts';

const sampleRows = Object.entries(samples).map(([name, { mime, kind, base64 }]) => ({ name, mime, kind, base64 }));

describe('bytes in a string', () => {
  it.each(sampleRows)('$name is recognized in base64 by its first bytes', ({ mime, kind, base64 }) => {
    const media = readMedia(base64);
    expect(media?.type).toMatchObject({ mime, kind });
    expect(media?.sizeBytes).toBe(atob(base64).length);
  });

  it.each(sampleRows)('$name keeps its bytes', async ({ name, base64, mime }) => {
    const media = readMedia(base64);
    const blob = media && blobOf(media);
    expect(blob?.type).toBe(mime);
    expect(new Uint8Array((await blob?.arrayBuffer()) ?? new ArrayBuffer())).toEqual(bytesNamed(name));
  });

  it('may have line breaks, and the letters of addresses', () => {
    const { base64 } = samples.png;
    expect(readMedia(base64.replaceAll(/(.{20})/g, '$1\n'))?.type.name).toBe('PNG');
    const inAddress = base64.replaceAll('+', '-').replaceAll('/', '_');
    expect(readMedia(inAddress)?.type.name).toBe('PNG');
  });

  it('that end early are said to be damaged, not shown as something else', () => {
    const media = readMedia(samples.png.base64.slice(0, 41));
    expect(() => media && blobOf(media)).toThrow();
  });
});

describe('a data address', () => {
  it('is what it says it is', () => {
    const media = readMedia(`data:image/png;base64,${samples.png.base64}`);
    expect(media).toMatchObject({ type: { name: 'PNG' }, source: { kind: 'base64', data: samples.png.base64 } });
  });

  it('may hold text', () => {
    expect(readMedia('data:image/svg+xml,%3Csvg%20xmlns=%22x%22/%3E')).toMatchObject({
      type: { mime: 'image/svg+xml' },
      source: { kind: 'text', text: '<svg xmlns="x"/>' },
    });
  });

  it('of a page is a file, and never a page', () => {
    expect(readMedia('data:text/html,<script>alert(1)</script>')?.type).toMatchObject({ kind: 'file' });
    expect(readMedia('data:text/html;charset=utf-8;base64,PHNjcmlwdD4=')?.type).toMatchObject({ kind: 'file' });
  });

  it('with broken signs is a text', () => expect(readMedia('data:text/plain,%E0%A4%A')).toBeNull());
});

describe('an address', () => {
  it.each([
    ['https://cdn.example.com/a/cat.png?x=1', '', 'image', 'cdn.example.com'],
    ['http://127.0.0.1:9000/out.wav', '', 'audio', '127.0.0.1:9000'],
    ['https://example.com/v.mp4', '', 'video', 'example.com'],
    ['https://example.com/result?id=7', 'image_url', 'image', 'example.com'],
    ['https://example.com/doc.pdf', '', 'file', 'example.com'],
    ['https://example.com/table.csv?token=a.b', '', 'file', 'example.com'],
    ['https://example.com/lora/style.safetensors', '', 'file', 'example.com'],
    ['https://example.com/out.tar.gz', '', 'file', 'example.com'],
  ])('%s below "%s" waits for a click', (address, name, kind, host) => {
    expect(readMedia(address, name)).toMatchObject({ type: { kind }, source: { kind: 'remote', host } });
  });

  it.each([
    'https://example.com/about',
    'https://example.com/index.html',
    'https://',
    'javascript:alert(1)',
    'file:///etc/passwd.png',
    'https://a b.png',
  ])('%s is a text', (text) => expect(readMedia(text)).toBeNull());
});

describe('the name of a file', () => {
  it.each([
    ['https://example.com/a/my%20cat.png?x=1', 'my cat.png'],
    ['https://example.com/a/%E0%A4%A.png', undefined],
    ['https://example.com/a%2Fb.csv', undefined],
  ])('in %s is %s', (address, name) => expect(readMedia(address)?.fileName).toBe(name));

  it('is that of the output where nothing else is known, with its number', () => {
    const media = readMedia(samples.png.base64)!;
    expect(savedName(media, media.type, 'words-12', null)).toBe('words-12.png');
    expect(savedName(media, media.type, 'words-12', 2)).toBe('words-12-2.png');
    expect(savedName({ ...media, fileName: 'cat.png' }, media.type, 'words-12', 2)).toBe('cat.png');
  });

  it('of any bytes says nothing of their type', () => {
    expect(readMedia('data:application/octet-stream;base64,AAAA')?.type).toMatchObject({ extension: 'bin' });
    expect(['binary/octet-stream', 'application/octet-stream; x=1', 'text/csv'].map(isAnyBytes)).toEqual([
      true,
      true,
      false,
    ]);
  });
});

describe('a text that is no media', () => {
  it.each(['', 'a cat', 'A lighthouse keeper wrote one word each evening', 'deadbeefdeadbeefdeadbeefdeadbeef', 'AAAA'])(
    '%s',
    (text) => expect(readMedia(text)).toBeNull(),
  );

  it('is every text of words', () => {
    fc.assert(
      fc.property(fc.lorem({ maxCount: 40 }), (text) => {
        expect(readMedia(text)).toBeNull();
      }),
    );
  });
});

describe('the type of bytes', () => {
  it('is decided without an error for any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        const media = readMedia(toBase64(bytes));
        expect(media === null || sniff(bytes) !== null).toBe(true);
      }),
    );
  });
});
