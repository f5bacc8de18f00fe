/** Rules of the folders that shells report. */
import { hostname } from 'node:os';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createFolderReports } from './folderReports.ts';

function after(...pieces: (string | Buffer)[]): string | null {
  const reports = createFolderReports();
  for (const piece of pieces) reports.take(Buffer.from(piece));
  return reports.folder();
}

it('The last report counts, with either end, and its path is decoded', () => {
  expect(after('nothing \u001b[1mhere\u001b[0m')).toBeNull();
  expect(after('\u001b]7;file:///tmp\u0007$ ')).toBe('/tmp');
  expect(after(`\u001b]7;file:///tmp\u0007\u001b]7;file://${hostname()}/a%20b/%C3%A4\u001b\\`)).toBe('/a b/ä');
  expect(after('\u001b]7;file://localhost/x\u0007', '\u001b[0m')).toBe('/x');
});

it('A report of another computer or of no folder changes nothing', () => {
  const here = '\u001b]7;file:///here\u0007';
  for (const other of ['file://elsewhere.example/there', 'https://localhost/there', 'there', 'file:///%ff']) {
    expect(after(here, `\u001b]7;${other}\u0007`)).toBe('/here');
  }
});

it('A report may come in pieces, between other output', () => {
  const output = Buffer.from('\u001b[1mls\u001b[0m\r\n\u001b]0;title\u0007\u001b]7;file:///some/folder\u001b\\$ ');
  fc.assert(
    fc.property(fc.array(fc.nat(output.length)), (cuts) => {
      const at = [0, ...cuts.toSorted((a, b) => a - b), output.length];
      expect(after(...at.slice(1).map((to, index) => output.subarray(at[index], to)))).toBe('/some/folder');
    }),
  );
});
