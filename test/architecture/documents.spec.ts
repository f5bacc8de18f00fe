import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join, posix } from 'node:path';
import { describe, expect, test } from 'vitest';
import { pageFacts } from '#contract/app/pages.ts';
import { anchorsOf, documents, linksOf, proseOf, read, root } from './documents.ts';

const WIDTH = 120;
const MAP_WORDS = 800;
const GUIDES = [
  'accounts',
  'api',
  'cli',
  'clients',
  'configuration',
  'data',
  'databases',
  'desktop',
  'decisions',
  'endpoints',
  'glossary',
].concat([
  'guarantees',
  'install',
  'keys',
  'performance',
  'pods',
  'scripts',
  'security',
  'terminals',
  'traces',
  'updates',
]);

/** What is wrong with a link of a document; null where it leads somewhere. */
function faultOf(document: string, target: string): string | null {
  if (/^(?:https?|mailto):/.test(target)) return null;
  const [path = '', anchor] = target.split('#');
  const file = path === '' ? document : posix.join(posix.dirname(document), path);
  if (!existsSync(join(root, file))) return `${document}: ${target} (there is no ${file})`;
  if (anchor === undefined || anchorsOf(read(file)).has(anchor)) return null;
  return `${document}: ${target} (${file} has no such heading)`;
}

test('every link of every document leads to a file, and to a heading of it', () => {
  const links = documents.flatMap((document) => linksOf(read(document)).map((target) => ({ document, target })));
  expect(links.length).toBeGreaterThan(100);
  expect(links.map(({ document, target }) => faultOf(document, target)).filter((fault) => fault !== null)).toEqual([]);
});

test.each([
  ['a file that is not there', '[x](nowhere.md)'],
  ['a heading that is not there', '[x](README.md#no-such-heading)'],
])('a link to %s is a fault', (_, text) => {
  expect(linksOf(text).map((target) => faultOf('README.md', target))).toEqual([expect.stringContaining('README.md: ')]);
});

test('anchors are made of headings as hosts of repositories make them', () => {
  expect([...anchorsOf('# API & `keys`\n## A 2nd one\n## A 2nd one\n```\n# code\n```\n')]).toEqual([
    'api--keys',
    'a-2nd-one',
    'a-2nd-one-1',
  ]);
});

test('lines of prose are at most 120 characters wide', () => {
  const wide = documents.flatMap((document) =>
    proseOf(read(document))
      .filter(({ text }) => text.length > WIDTH && !/^\s*\|/.test(text))
      .map(({ number }) => `${document}:${number}`),
  );
  expect(wide).toEqual([]);
});

test('the map has at most 800 words', () => {
  expect(read('main/README.md').split(/\s+/).filter(Boolean).length).toBeLessThanOrEqual(MAP_WORDS);
});

test('the README names every page, in order', () => {
  const [, names = ''] = /^The pages are (.+?)\.$/ms.exec(read('README.md')) ?? [];
  expect(names.split(/,\s+|\s+and\s+/)).toEqual(Object.values(pageFacts).map(({ title }) => title));
});

test('each guide is linked from the README', () => {
  const linked = linksOf(read('README.md')).map((target) => target.split('#')[0]);
  expect(GUIDES.map((guide) => `docs/${guide}.md`).filter((guide) => !linked.includes(guide))).toEqual([]);
  expect(documents.filter((path) => dirname(path) === 'docs').toSorted()).toEqual(
    GUIDES.map((guide) => `docs/${guide}.md`).toSorted(),
  );
});

describe('a path in code style names a file or folder that is there:', () => {
  const FROM = ['', 'main/', 'main/engine/service/', 'docs/'];
  /** Paths of sources; what lies in a data folder or in the folder of a handler is none. */
  const PATH = /^(?:\.\.\/)?(?:app|contract|engine|hosts|main|renderer|resources|scripts|terminal|test)\/[\w./-]*$/;

  test.each(['main/README.md', 'CONTRIBUTING.md', ...GUIDES.map((guide) => `docs/${guide}.md`)])('%s', (document) => {
    const paths = [...read(document).matchAll(/`([^`\n]+)`/g)]
      .map(([, path]) => path ?? '')
      .filter((path) => PATH.test(path));
    const gone = paths.filter((path) => {
      const plain = path.replace(/^\.\.\//, '');
      return !FROM.some((folder) => existsSync(join(root, folder, plain)));
    });
    expect(gone).toEqual([]);
  });
});

test('a file that the map names without its folder is there', () => {
  const bare = [...read('main/README.md').matchAll(/`(\w+\.tsx?)`/g)].map(([, name]) => name ?? '');
  const names = new Set(
    ['main', 'renderer'].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => basename(path)),
    ),
  );
  expect(bare.length).toBeGreaterThan(5);
  expect(bare.filter((name) => !names.has(name))).toEqual([]);
});

/** The sources without comments. */
const sources = ['main', 'renderer', 'preload', 'scripts', 'test']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
  )
  .filter((path) => /\.(?:tsx?|mjs)$/.test(path))
  .map((path) => read(path).replaceAll(/\/\*[^]*?\*\/|\/\/.*$/gm, ''));

test('each fault that tests are named after has a row in the guide of tests', () => {
  const named = sources.flatMap((code) =>
    [...code.matchAll(/['"`]fault (\d+)\b/g)].map(([, number]) => Number(number)),
  );
  const rows = [...read('test/support/README.md').matchAll(/^\| (\d+) +\|/gm)].map(([, number]) => Number(number));
  expect(rows.length).toBeGreaterThan(5);
  expect(rows).toEqual([...new Set(named)].toSorted((a, b) => a - b));
});

describe('a name in code style is a name of the code:', () => {
  const NAME = /^([A-Za-z]\w*)(?:\(\))?$/;
  const names = new Set(sources.flatMap((code) => code.match(/\w+/g) ?? []));

  test.each(['main/README.md', 'CONTRIBUTING.md'])('%s', (document) => {
    const named = [...read(document).matchAll(/`([^`\n]+)`/g)].flatMap(([, text]) => NAME.exec(text ?? '')?.[1] ?? []);
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((name) => !names.has(name))).toEqual([]);
  });
});
