/** Names of values: a value is named by what it is, and not by a private word. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import * as ts from 'typescript';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');

/** Words that say how a value came about, and not what it is. */
const PRIVATE_WORDS: ReadonlySet<string> = new Set([
  'told',
  'said',
  'given',
  'held',
  'letGo',
  'look',
  'found',
  'kept',
  'asked',
  'heard',
]);

const sources = readdirSync(join(root, 'main'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /(?<!\.spec)\.tsx?$/.test(entry.name))
  .map((entry) =>
    join(entry.parentPath, entry.name)
      .slice(root.length + 1)
      .replaceAll('\\', '/'),
  );

const declaresValue = (node: ts.Node): node is ts.NamedDeclaration =>
  ts.isVariableDeclaration(node) ||
  ts.isParameter(node) ||
  ts.isBindingElement(node) ||
  ts.isFunctionDeclaration(node) ||
  ts.isFunctionExpression(node);

/** `path:line name` of each declaration that a private word names. */
function privateNames(path: string, text: string): string[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const names: string[] = [];
  const visit = (node: ts.Node): void => {
    if (declaresValue(node) && node.name && ts.isIdentifier(node.name) && PRIVATE_WORDS.has(node.name.text)) {
      const { line } = file.getLineAndCharacterOfPosition(node.name.getStart(file));
      names.push(`${path}:${line + 1} ${node.name.text}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return names;
}

test('a private word is recognized wherever it names a value', () => {
  const text = [
    'const told = 1;',
    'function look(given: string, { found, of: kept }: Row): void {}',
    'const { said = 1, ...held } = row;',
    'for (const asked of list) run(function heard() {});',
    'const answer = { told: row.found, asked };',
  ].join('\n');
  expect(privateNames('file.ts', text)).toEqual([
    'file.ts:1 told',
    ...['look', 'given', 'found', 'kept'].map((name) => `file.ts:2 ${name}`),
    ...['said', 'held'].map((name) => `file.ts:3 ${name}`),
    ...['asked', 'heard'].map((name) => `file.ts:4 ${name}`),
  ]);
});

test('no value under main/ is named by a private word', () => {
  expect(sources.length).toBeGreaterThan(300);
  expect(
    sources.flatMap((path) => privateNames(path, readFileSync(join(root, path), 'utf8'))),
    'test/architecture/names.spec.ts: name the value by what it is',
  ).toEqual([]);
});
