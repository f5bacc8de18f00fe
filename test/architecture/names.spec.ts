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

/**
 * Most files hold none of them outside of comments, and need not be parsed, which takes most of the time of this spec.
 */
const A_PRIVATE_WORD = new RegExp(`\\b(${[...PRIVATE_WORDS].join('|')})\\b`);
const withoutComments = (text: string): string => text.replaceAll(/^ *(\*|\/\*|\/\/).*$/gm, '');

/** The code files below a folder. */
const sourcesOf = (folder: string, name: RegExp): string[] =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && name.test(entry.name))
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(root.length + 1)
        .replaceAll('\\', '/'),
    );

const sources = [
  ...sourcesOf('main', /\.tsx?$/),
  ...sourcesOf('renderer', /\.tsx?$/),
  ...sourcesOf('preload', /\.ts$/),
  ...sourcesOf('test', /\.tsx?$/),
  ...sourcesOf('scripts', /\.(ts|mjs)$/),
];

const declaresValue = (node: ts.Node): node is ts.NamedDeclaration =>
  ts.isVariableDeclaration(node) ||
  ts.isParameter(node) ||
  ts.isBindingElement(node) ||
  ts.isFunctionDeclaration(node) ||
  ts.isFunctionExpression(node);

/** `path:line name` of each declaration that a private word names. */
function privateNames(path: string, text: string): string[] {
  if (!A_PRIVATE_WORD.test(withoutComments(text))) return [];
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

/** Names that were replaced by terms of the field. No export may have one of them again. */
const REPLACED_NAMES: ReadonlySet<string> = new Set(
  [
    'Fate NONE_YET hasFate isSetAside feared condemn settling unsettled setBack writingOf thatRunOn owed',
    'bringLater openDoor WorkerDoor serveBriefly attended lendToWorker takeBack obstacle mayBeHeard',
    'tellingRequests heed putBehind Lacking goesAfterOthers whenSettled Taker toTell Telling shaped',
    'Passing Sieve mustLetGo whoGivesWay Unread',
  ].flatMap((line) => line.split(' ')),
);
/** A term of HTTP. */
const TERMS: ReadonlySet<string> = new Set(['notFound']);

/** The words of a name, each between underscores: `keptMs` and `KEPT_MS` are `_kept_ms_`. */
const wordsOf = (name: string): string => `_${name.replaceAll(/([a-z\d])([A-Z])/g, '$1_$2').toLowerCase()}_`;
const ANY_LETTERS = new RegExp([...PRIVATE_WORDS].join('|').replaceAll(/(?=[A-Z])/g, '_?'), 'i');
const hasPrivateWord = (name: string): boolean =>
  ANY_LETTERS.test(name) && [...PRIVATE_WORDS].some((word) => wordsOf(name).includes(wordsOf(word)));
const isRefused = (name: string): boolean => REPLACED_NAMES.has(name) || (hasPrivateWord(name) && !TERMS.has(name));

/** The names that a statement exports, types included. */
function exportedNames(statement: ts.Statement): readonly ts.Identifier[] {
  const isExported =
    ts.canHaveModifiers(statement) &&
    ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;
  if (!isExported) return [];
  const declarations = ts.isVariableStatement(statement) ? statement.declarationList.declarations : [statement];
  return declarations.flatMap((declaration) => {
    const { name } = declaration as ts.Node & { name?: ts.Node };
    if (name === undefined) return [];
    if (ts.isIdentifier(name)) return [name];
    if (!ts.isObjectBindingPattern(name) && !ts.isArrayBindingPattern(name)) return [];
    return name.elements.flatMap((one) => (ts.isBindingElement(one) && ts.isIdentifier(one.name) ? [one.name] : []));
  });
}

/** `path:line name` of each exported name with a private word in it, or that was replaced. */
function privateExports(path: string, text: string): string[] {
  const words = withoutComments(text).match(/\w+/g) ?? [];
  if (!words.some(isRefused)) return [];
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
  return file.statements
    .flatMap(exportedNames)
    .filter(({ text: name }) => isRefused(name))
    .map((name) => `${path}:${file.getLineAndCharacterOfPosition(name.getStart(file)).line + 1} ${name.text}`);
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

test('no value of the program, its tests and its scripts is named by a private word', () => {
  expect(sources.length).toBeGreaterThan(700);
  expect(
    sources.flatMap((path) => privateNames(path, readFileSync(join(root, path), 'utf8'))),
    'test/architecture/names.spec.ts: name the value by what it is',
  ).toEqual([]);
});

test('a private word is recognized in every exported name', () => {
  const text = [
    'export const toldSchema = 1, [KEPT_MS] = list;',
    'export interface Kept {}',
    'export function letGoOf(): void {}',
    'export type Fate = 1;',
    'export const { a: heldBytes } = row;',
    'export class NotFound {} export const notFound = 1, outlook = 2;',
    'const keptMs = 1;',
  ].join('\n');
  expect(privateExports('file.ts', text)).toEqual([
    'file.ts:1 toldSchema',
    'file.ts:1 KEPT_MS',
    'file.ts:2 Kept',
    'file.ts:3 letGoOf',
    'file.ts:4 Fate',
    'file.ts:5 heldBytes',
    'file.ts:6 NotFound',
  ]);
});

test('no exported name of the program, its tests and its scripts has a private word', () => {
  expect(
    sources.flatMap((path) => privateExports(path, readFileSync(join(root, path), 'utf8'))),
    'test/architecture/names.spec.ts: name it by what it is',
  ).toEqual([]);
});
