import { describe, expect, it } from 'vitest';
import { previewOf, readText } from './readText.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const latin = (text: string): Uint8Array => Uint8Array.from(text, (char) => char.charCodeAt(0));

describe('a file', () => {
  it('is what its bytes say, whatever its name says', () => {
    expect(previewOf('notes.txt', latin('\x89PNG\r\n\x1a\n'))).toMatchObject({ show: 'media', type: { name: 'PNG' } });
    expect(previewOf('picture.png', bytes('<script>alert(1)</script>'))).toEqual({ show: 'text' });
    expect(previewOf('a.mp3', latin('ID3'))).toMatchObject({ show: 'media', type: { kind: 'audio' } });
    expect(previewOf('a.txt', latin('a\0b'))).toEqual({ show: 'nothing' });
    expect(previewOf('a.txt', latin('PK\x03\x04'))).toEqual({ show: 'nothing' });
    expect(previewOf('a.IPYNB', bytes('{}'))).toEqual({ show: 'notebook' });
    expect(previewOf('a', bytes(''))).toEqual({ show: 'text' });
  });

  it('of UTF-8 can be changed, and keeps its mark of the byte order and the ends of its lines', () => {
    expect(readText(bytes('\ufeffä\r\nb\r\n'), false)).toEqual({
      text: '\ufeffä\r\nb\r\n',
      lineEnd: '\r\n',
      whyFixed: null,
      isCut: false,
    });
    expect(readText(bytes('a\nb'), false)).toMatchObject({ lineEnd: '\n', whyFixed: null });
  });

  it('that saving would change in other places can only be read', () => {
    expect(readText(latin('caf\xe9'), false).whyFixed).toContain('not UTF-8');
    expect(readText(bytes('a\r\nb\nc'), false).whyFixed).toContain('line endings are mixed');
    expect(readText(bytes('a\rb'), false).whyFixed).toContain('line endings are mixed');
    // The last character is cut in two.
    expect(readText(bytes('aä').slice(0, 2), true)).toMatchObject({
      text: 'a',
      isCut: true,
      whyFixed: expect.stringMatching('large'),
    });
  });
});
