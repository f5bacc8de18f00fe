// The types do not know the classes of a style sheet: a name that it lacks leaves a part of the page without its looks.
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { root } from './documents.ts';

const renderer = join(root, 'renderer');
const files = readdirSync(renderer, { recursive: true, encoding: 'utf8' }).map((path) => join(renderer, path));
const textOf = (path: string): string => readFileSync(path, 'utf8');
const inRoot = (path: string): string => relative(root, path).replaceAll('\\', '/');

/** The classes of a style sheet, without those of libraries (`:global`). */
function classesOf(css: string): Set<string> {
  const selectors = css
    .replaceAll(/\/\*[^]*?\*\//g, '')
    .replaceAll(/:global\([^)]*\)/g, '')
    .replaceAll(/'[^']*'/g, "''")
    .replaceAll(/:\s[^;{}]*;/g, ';');
  return new Set([...selectors.matchAll(/\.([a-z][\w-]*)/gi)].map(([, name = '']) => name));
}

const sheets = new Map(
  files.filter((path) => path.endsWith('.module.css')).map((path) => [path, classesOf(textOf(path))]),
);

interface Use {
  path: string;
  sheet: string;
  /** Undefined where it is computed. */
  name: string | undefined;
}

/** Each use of a class in a file of the page. */
function usesIn(path: string): Use[] {
  const text = textOf(path);
  const code = text.replaceAll(/^import .*$/gm, '');
  return [...text.matchAll(/^import (\w+) from '([^']+\.module\.css)'/gm)].flatMap(([, object = '', from = '']) => {
    const sheet = resolve(dirname(path), from);
    const names = code.matchAll(new RegExp(`\\b${object}(?:\\.(\\w+)|\\['([^']+)'\\]|\\[[^'])`, 'g'));
    return [...names].map(([, plain, quoted]) => ({ path, sheet, name: plain ?? quoted }));
  });
}

const uses = files.filter((path) => /\.tsx?$/.test(path) && !/\.spec\.tsx?$/.test(path)).flatMap(usesIn);

it('every class that a component names stands in its style sheet', () => {
  expect(uses.length).toBeGreaterThan(1000);
  const missing = uses.filter(({ sheet, name }) => name !== undefined && !sheets.get(sheet)?.has(name));
  expect(missing.map(({ path, sheet, name }) => `${inRoot(path)}: ${name} of ${inRoot(sheet)}`)).toEqual([]);
});

it('every class of a style sheet is used by a component', () => {
  const computed = new Set(uses.filter(({ name }) => name === undefined).map(({ sheet }) => sheet));
  const named = new Set(uses.map(({ sheet, name }) => `${sheet} ${name}`));
  const left = [...sheets]
    .filter(([sheet]) => !computed.has(sheet))
    .flatMap(([sheet, names]) =>
      [...names].filter((name) => !named.has(`${sheet} ${name}`)).map((name) => `${inRoot(sheet)}: ${name}`),
    );
  expect(left).toEqual([]);
});
