import { describe, expect, it } from 'vitest';
import { limits } from '#contract/core/limits.ts';
import type { FileSearch, VolumeFile, VolumeListing } from '#contract/local/files.ts';
import { searchFiles } from './fileSearch.ts';

/** `name`: with `/` at its end for a folder, with `@` for a link to a folder. */
const entry = (name: string): VolumeFile => ({
  name: name.replace(/[/@]$/, ''),
  kind: /[/@]$/.test(name) ? 'folder' : 'file',
  isLink: name.endsWith('@'),
  sizeBytes: 0,
  modifiedAt: '2026-01-01T00:00:00Z',
});

/** Lists a tree of names by folder; a folder that is missing cannot be read. */
const listOf = (tree: Readonly<Record<string, readonly string[]>>) => (path: string) => {
  const names = tree[path];
  if (names === undefined) return Promise.reject(new Error(`no ${path}`));
  return Promise.resolve({ path, entries: names.map(entry), truncated: names.includes('…') });
};

async function all(list: (path: string) => Promise<VolumeListing>, path: string, text: string) {
  const events: FileSearch[] = [];
  for await (const event of searchFiles(list, { path, text, signal: null })) events.push(event);
  const { folders, incomplete, end } = events.at(-1) ?? {};
  return { paths: events.flatMap(({ matches }) => matches.map((one) => one.path)), folders, incomplete, end, events };
}

describe('the search below a folder', () => {
  it('finds files and folders by a part of their name in any case, the nearest first', async () => {
    const list = listOf({
      '': ['other/', 'in/'],
      in: ['deep/', 'Model.bin', 'x'],
      'in/deep': ['my-MODELS/', 'y'],
      'in/deep/my-MODELS': ['model'],
      other: ['model.not-here'],
    });
    expect(await all(list, 'in', 'model')).toMatchObject({
      paths: ['in/Model.bin', 'in/deep/my-MODELS', 'in/deep/my-MODELS/model'],
      folders: 3,
      incomplete: 0,
      end: 'all',
    });
  });

  it('counts folders that cannot be read or are listed in part, and rejects for the first one', async () => {
    const list = listOf({ '': ['gone/', 'cut/', 'a'], cut: ['…', 'a'] });
    expect(await all(list, '', 'a')).toMatchObject({ paths: ['a', 'cut/a'], folders: 3, incomplete: 2, end: 'all' });
    await expect(all(list, 'gone', 'a')).rejects.toThrow('no gone');
  });

  it('finds links to folders, and does not follow them', async () => {
    const list = listOf({ '': ['a/', 'a-link@'], a: ['a-up@'], 'a-link': ['a-not'], 'a/a-up': ['a'] });
    expect(await all(list, '', 'a')).toMatchObject({ paths: ['a', 'a-link', 'a/a-up'], folders: 2, end: 'all' });
  });

  it('ends at its most results, and at its most folders', async () => {
    const { matches, visited } = limits.volumeFiles;
    const many = listOf({ '': Array.from({ length: matches + 1 }, (_, n) => `a${n}`) });
    expect(await all(many, '', 'a')).toMatchObject({ paths: { length: matches }, end: 'matches' });
    let lists = 0;
    const endless = (path: string): Promise<VolumeListing> => {
      lists += 1;
      return Promise.resolve({ path, entries: [entry('one/'), entry('two/')], truncated: false });
    };
    expect(await all(endless, '', 'x')).toMatchObject({ paths: [], folders: visited, end: 'folders' });
    expect(lists).toBe(visited);
  });

  it('lists nothing more once it is stopped', async () => {
    const stop = new AbortController();
    let lists = 0;
    const list = (path: string): Promise<VolumeListing> => {
      lists += 1;
      stop.abort();
      return Promise.resolve({ path, entries: [entry('in/')], truncated: false });
    };
    const events: FileSearch[] = [];
    for await (const event of searchFiles(list, { path: '', text: 'x', signal: stop.signal })) events.push(event);
    expect(lists).toBe(1);
    expect(events).toMatchObject([{ folders: 1, end: null }]);
  });
});
