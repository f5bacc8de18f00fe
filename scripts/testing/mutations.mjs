/**
 * What `npm run mutate` changes: the mutations of a source file, a repeatable sample of them, and the specs that reach
 * a file.
 */

import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import ts from 'typescript';

/**
 * @typedef {object} Mutation
 * @property {number} start Offset of the text that is replaced.
 * @property {number} end Offset after it.
 * @property {string} text The replacement.
 * @property {number} line Line of the first replaced character, from 1.
 * @property {string} before The expression or statement around the change, on one line.
 * @property {string} after The same with the change.
 */

const { SyntaxKind } = ts;

/** Each operator with what takes its place. @type {ReadonlyMap<ts.SyntaxKind, readonly string[]>} */
const OPERATORS = new Map([
  [SyntaxKind.EqualsEqualsEqualsToken, ['!==']],
  [SyntaxKind.ExclamationEqualsEqualsToken, ['===']],
  [SyntaxKind.LessThanToken, ['<=', '>=']],
  [SyntaxKind.LessThanEqualsToken, ['<', '>']],
  [SyntaxKind.GreaterThanToken, ['>=', '<=']],
  [SyntaxKind.GreaterThanEqualsToken, ['>', '<']],
  [SyntaxKind.PlusToken, ['-']],
  [SyntaxKind.MinusToken, ['+']],
  [SyntaxKind.AsteriskToken, ['/']],
  [SyntaxKind.SlashToken, ['*']],
  [SyntaxKind.PercentToken, ['*']],
  [SyntaxKind.AmpersandAmpersandToken, ['||']],
  [SyntaxKind.BarBarToken, ['&&']],
  [SyntaxKind.QuestionQuestionToken, ['&&']],
  [SyntaxKind.PlusEqualsToken, ['-=']],
  [SyntaxKind.MinusEqualsToken, ['+=']],
  [SyntaxKind.QuestionQuestionEqualsToken, ['=']],
  [SyntaxKind.BarBarEqualsToken, ['&&=']],
  [SyntaxKind.AmpersandAmpersandEqualsToken, ['||=']],
  [SyntaxKind.PlusPlusToken, ['--']],
  [SyntaxKind.MinusMinusToken, ['++']],
]);

/** Methods whose opposite takes the same arguments. @type {Readonly<Record<string, string>>} */
const OPPOSITES = { min: 'max', max: 'min', some: 'every', every: 'some', floor: 'ceil', ceil: 'floor' };

/** Longer texts are cut in the middle of a line that is printed. */
const LONGEST = 70;

function onOneLine(/** @type {string} */ text) {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length <= LONGEST ? line : `${line.slice(0, LONGEST - 1)}…`;
}

/** True for statements that can be left out without a change of what is declared. */
function isDroppable(/** @type {ts.Node} */ node) {
  if (ts.isExpressionStatement(node)) {
    const { expression } = node;
    const callsSuper = ts.isCallExpression(expression) && expression.expression.kind === SyntaxKind.SuperKeyword;
    // A string by itself is a directive such as 'use strict'.
    return !callsSuper && !ts.isStringLiteral(expression);
  }
  if (ts.isReturnStatement(node)) return node.expression === undefined;
  return ts.isThrowStatement(node) || ts.isBreakStatement(node) || ts.isContinueStatement(node);
}

const isText = (/** @type {ts.Node} */ node) => ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);

/**
 * Every single change that is tried in a file, in the order of the text. `path` tells the language. @returns
 * {Mutation[]}
 */
export function mutationsOf(/** @type {string} */ path, /** @type {string} */ source) {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true);
  /** @type {Mutation[]} */
  const mutations = [];

  /** Replaces the text from `start` to `end`, and shows it as a change of `shown`. */
  function add(
    /** @type {ts.Node} */ shown,
    /** @type {number} */ start,
    /** @type {number} */ end,
    /** @type {string} */ text,
  ) {
    const from = shown.getStart(file);
    mutations.push({
      start,
      end,
      text,
      line: file.getLineAndCharacterOfPosition(start).line + 1,
      before: onOneLine(source.slice(from, shown.end)),
      after: onOneLine(source.slice(from, start) + text + source.slice(end, shown.end)) || '(nothing)',
    });
  }
  const replace = (/** @type {ts.Node} */ node, /** @type {string} */ text, /** @type {ts.Node} */ shown = node) =>
    add(shown, node.getStart(file), node.end, text);
  const negate = (/** @type {ts.Expression} */ condition) => replace(condition, `!(${condition.getText(file)})`);

  function changeBinary(/** @type {ts.BinaryExpression} */ node) {
    const { left, operatorToken, right } = node;
    // Texts are joined by + and have no difference.
    if (operatorToken.kind === SyntaxKind.PlusToken && (isText(left) || isText(right))) return;
    for (const operator of OPERATORS.get(operatorToken.kind) ?? []) {
      // The language forbids ?? beside && and || without parentheses.
      if (operatorToken.kind === SyntaxKind.QuestionQuestionToken) {
        replace(node, `(${left.getText(file)}) && (${right.getText(file)})`);
      } else replace(operatorToken, operator, node);
    }
  }

  function changeUnary(/** @type {ts.PrefixUnaryExpression | ts.PostfixUnaryExpression} */ node) {
    const { operand, operator } = node;
    if (operator === SyntaxKind.ExclamationToken || operator === SyntaxKind.MinusToken) {
      replace(node, operand.getText(file));
      return;
    }
    const [other] = OPERATORS.get(operator) ?? [];
    if (other === undefined) return;
    const isPrefix = ts.isPrefixUnaryExpression(node);
    replace(node, isPrefix ? other + operand.getText(file) : operand.getText(file) + other);
  }

  function change(/** @type {ts.Node} */ node) {
    if (isDroppable(node)) replace(node, ';');
    if (ts.isBinaryExpression(node)) changeBinary(node);
    else if (ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node)) changeUnary(node);
    else if (ts.isIfStatement(node)) {
      negate(node.expression);
      if (node.elseStatement) add(node, node.thenStatement.end, node.elseStatement.end, '');
    } else if (ts.isWhileStatement(node) || ts.isDoStatement(node)) negate(node.expression);
    else if (ts.isConditionalExpression(node)) negate(node.condition);
    else if (ts.isAwaitExpression(node)) replace(node, node.expression.getText(file));
    else if (node.kind === SyntaxKind.TrueKeyword) replace(node, 'false', node.parent);
    else if (node.kind === SyntaxKind.FalseKeyword) replace(node, 'true', node.parent);
    else if (ts.isNumericLiteral(node)) replace(node, `(${node.getText(file)} + 1)`, node.parent);
    else if (ts.isStringLiteralLike(node) && node.text === '') replace(node, "'changed'", node.parent);
    else if (ts.isArrayLiteralExpression(node)) {
      for (const [at, element] of node.elements.entries()) {
        // With the comma and the space that follow it.
        add(node, element.getStart(file), node.elements[at + 1]?.getStart(file) ?? element.end, '');
      }
    } else if (ts.isPropertyAccessExpression(node) || ts.isCallExpression(node) || ts.isElementAccessExpression(node)) {
      const { questionDotToken } = node;
      if (questionDotToken) replace(questionDotToken, ts.isPropertyAccessExpression(node) ? '.' : '', node);
      const opposite = ts.isPropertyAccessExpression(node) ? OPPOSITES[node.name.text] : undefined;
      if (ts.isPropertyAccessExpression(node) && opposite !== undefined) replace(node.name, opposite, node.parent);
    }
  }

  function visit(/** @type {ts.Node} */ node) {
    // Types and names of modules do nothing at run time.
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return;
    // A number that names a property or says how many are in a tuple pattern is a name.
    if (!ts.isPropertyName(node) || !('name' in node.parent) || node.parent.name !== node) change(node);
    ts.forEachChild(node, visit);
  }
  visit(file);
  return mutations.sort((one, other) => one.start - other.start || one.end - other.end);
}

/** The whole text of the file with this change. */
export const mutated = (/** @type {string} */ source, /** @type {Mutation} */ { start, end, text }) =>
  source.slice(0, start) + text + source.slice(end);

/** `12,40-44` as a test of line numbers. Throws where it is something else. */
export function linesOf(/** @type {string} */ text) {
  const spans = text.split(',').map((part) => {
    const [, from, to] = /^(\d+)(?:-(\d+))?$/.exec(part.trim()) ?? [];
    if (from === undefined) throw new Error(`--at takes lines such as 12,40-44; it was given ${text}.`);
    return { from: Number(from), to: Number(to ?? from) };
  });
  return (/** @type {number} */ line) => spans.some(({ from, to }) => line >= from && line <= to);
}

/** Numbers from 0 to 1, the same ones for the same seed (mulberry32). */
function randomFrom(/** @type {number} */ seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** `count` of the items, in their order; the same ones for the same seed. @template T */
export function sampleOf(/** @type {readonly T[]} */ items, /** @type {number} */ count, /** @type {number} */ seed) {
  const random = randomFrom(seed);
  const drawn = new Set(
    items
      .map((item) => ({ item, at: random() }))
      .sort((one, other) => one.at - other.at)
      .slice(0, count)
      .map(({ item }) => item),
  );
  return items.filter((item) => drawn.has(item));
}

const FOLDERS = ['main', 'preload', 'renderer', 'scripts', 'test'];
const SOURCE = /\.(?:mjs|tsx?)$/;
const SPEC = /\.spec\.tsx?$/;
const IMPORT = /\b(?:from|import)\s*\(?\s*'([^']+)'/g;

/** Every source file below these folders of `root`, with the files that it imports. @returns {Map<string, string[]>} */
function readImports(/** @type {string} */ root) {
  /** @type {Map<string, string[]>} */
  const imports = new Map();
  for (const folder of FOLDERS) {
    for (const name of readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })) {
      if (!SOURCE.test(name)) continue;
      const path = join(root, folder, name);
      const targets = [];
      for (const [, specifier = ''] of readFileSync(path, 'utf8').matchAll(IMPORT)) {
        if (specifier.startsWith('.')) targets.push(resolve(dirname(path), specifier));
        else if (specifier.startsWith('#contract/')) targets.push(join(root, 'main', specifier.slice(1)));
      }
      imports.set(path, targets);
    }
  }
  return imports;
}

/**
 * The unit specs that import a file, directly or over others, by how many imports lie between: the nearest ones, which
 * notice most, come first. Specs below test/ start whole programs, which a mutation does not reach.
 * @returns {string[][]}
 */
export function specsReaching(/** @type {string} */ path, /** @type {string} */ root) {
  /** @type {Map<string, string[]>} */
  const importers = new Map();
  for (const [importer, imported] of readImports(root)) {
    for (const one of imported) importers.set(one, [...(importers.get(one) ?? []), importer]);
  }
  const visited = new Set([path]);
  const levels = [];
  for (let level = [path]; level.length > 0;) {
    level = level
      .flatMap((file) => importers.get(file) ?? [])
      .filter((file) => !visited.has(file) && visited.add(file));
    const specs = level.filter((file) => SPEC.test(file) && !file.startsWith(join(root, 'test') + sep));
    if (specs.length > 0) levels.push(specs.sort());
  }
  return levels;
}
