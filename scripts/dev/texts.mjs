/**
 * `npm run texts` writes the catalogue of the texts of the page and of the desktop host, renderer/language/en.json,
 * from the code.
 */

import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { root } from '../run24.mjs';

/** @typedef {Record<string, string | Record<string, string>>} Catalogue */

export const CATALOGUE = join(root, 'renderer', 'language', 'en.json');

/** Hosts show the titles of these, too; the page passes them through `translated`. */
const SHARED = [
  'main/contract/app/pages.ts',
  'main/contract/app/hostMessage.ts',
  'main/contract/app/pauseDurations.ts',
];
/** The report of an error goes to the people who develop Hangar, in English; so do causes of crashes. */
const REPORTS = [
  'renderer/ui/primitives/ErrorBoundary.tsx',
  'main/hosts/electron/gpuProcess.ts',
  'main/hosts/electron/windows/pageRecovery.ts',
];
const HOST = 'main/hosts/electron/';
/** Notifications of the page and of the host, with the texts of who shows them. */
const NOTICES = 'main/contract/notices/';
/** Properties of dialogs, items of menus and notifications that a person reads. */
const HOST_SHOWS = /^(label|message|detail|title|body|checkboxLabel|question)$/;
const WHOLE_SENTENCE = /^[A-Z].* .*[.?…]$/s;
/** Attributes that a person reads or hears. */
const READ = /^(title|label|placeholder|alt|description|empty|aria-label|aria-description)$/;
/** Functions of an object whose result is shown, such as the cell of a column. */
const SHOWING = /^(cell|hint|words)$/;
/** Properties of an object whose value is shown, also a single word. */
const TITLE = /^(title|label|description)$/;
/** What stands in these is no language. */
const VERBATIM = /^(code|kbd|pre|Code|Kbd)$/;
const WORD = /[A-Za-z]{2}/;
/** "A" and the "s" of a plural are texts beside a value, too. */
const LETTER = /[A-Za-z]/;

/** Words of a sentence, with other words around them. What has none of them is a name, a key or code. */
const SENTENCE = /(^| )(the|an?|of|and|or|to|in|is|are|not|no|by|with|for|at|from|than|per|after|mostly|more)( |$)/i;
/** A value in a template, where it is read as a text. */
const VALUE = '\u0001';
/** A shorter word after a value is mostly a unit. */
const WORD_BESIDE_VALUE = new RegExp(`[A-Za-z][a-z]{2,}[,.:]? ${VALUE}|${VALUE} \\(?[A-Za-z][a-z]{3,}`);
/** The second is written small, so that they are no name. */
const TWO_WORDS = /[A-Za-z]{2}[,.:;]? [a-z]{2,}/;
/** The end or the rest of a sentence: a translator cannot know what it is added to, or put it elsewhere. */
const PIECE = /^\s|\s$|^[,.;:·)](\s|$)/;
/** What stands in code, selectors and styles, and hardly in a sentence. */
const CODE = /[{}=<>;$#\\@*|\n]|\bvar\(|^[-[(]/;

/** The sources of the page and of the desktop host, without specs, relative to the root. */
const sources = () =>
  ['renderer', HOST.slice(0, -1), NOTICES.slice(0, -1)]
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(
        (path) => `${folder}/${path.replaceAll('\\', '/')}`,
      ),
    )
    .filter((path) => /(?<!\.spec)(?<!\.d)\.tsx?$/.test(path))
    .sort();

/** The name of a text in the catalogue, as `keyOf` in main/contract/language/translation.ts has it. */
function keyOf(/** @type {ts.TemplateLiteral} */ template) {
  if (ts.isNoSubstitutionTemplateLiteral(template)) return template.text;
  return template.templateSpans.reduce(
    (key, { literal }, index) => `${key}{${index}}${literal.text}`,
    template.head.text,
  );
}

/** What is written in a literal, without its values; null for every other node. */
function literalText(/** @type {ts.Node} */ node) {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return null;
  return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join(VALUE);
}

/** Whether a node is a text of the catalogue. */
const isListed = (/** @type {ts.Node} */ node) =>
  (ts.isTaggedTemplateExpression(node) && /^(t|rich)$/.test(node.tag.getText())) ||
  (ts.isCallExpression(node) && /^(counted|translated)$/.test(node.expression.getText()));

/**
 * Whether an expression is a text of the catalogue or an element, also in one of its branches.
 * @returns {boolean}
 */
function hasListed(/** @type {ts.Node} */ node) {
  if (ts.isParenthesizedExpression(node)) return hasListed(node.expression);
  if (ts.isConditionalExpression(node)) return hasListed(node.whenTrue) || hasListed(node.whenFalse);
  if (ts.isBinaryExpression(node) && /^(\|\||\?\?)$/.test(node.operatorToken.getText()))
    return hasListed(node.left) || hasListed(node.right);
  return isListed(node) || ts.isJsxElement(node) || ts.isJsxSelfClosingElement(node);
}

/**
 * Whether an object has a label for each name, as Record<Name, string> declares it, and one of them is in the
 * catalogue.
 */
function hasLabels(/** @type {ts.ObjectLiteralExpression} */ labels) {
  const { parent } = labels;
  if (!ts.isVariableDeclaration(parent) || !/\bRecord<.*\bstring>+$/s.test(parent.type?.getText() ?? '')) return false;
  return labels.properties.some((property) => ts.isPropertyAssignment(property) && hasListed(property.initializer));
}

/**
 * Whether a single word is used where a text of the catalogue could be: beside one in a condition or among labels, or
 * instead of an empty text or list. A name in capitals is the same in every language.
 */
function standsForText(/** @type {ts.StringLiteralLike} */ node) {
  const { parent } = node;
  if (!/^[a-z]+$/i.test(node.text)) return false;
  if (ts.isPropertyAssignment(parent))
    return /^[a-z]+$/.test(node.text) && ts.isObjectLiteralExpression(parent.parent) && hasLabels(parent.parent);
  if (ts.isBinaryExpression(parent)) {
    const { left, operatorToken, right } = parent;
    if (node !== right || !/^(\|\||\?\?)$/.test(operatorToken.getText())) return false;
    return hasListed(left) || /\.join\(', '\)$/.test(left.getText());
  }
  if (!ts.isConditionalExpression(parent) || node === parent.condition) return false;
  const other = node === parent.whenTrue ? parent.whenFalse : parent.whenTrue;
  return hasListed(other) || parent.condition.getText() === `${other.getText()} === ''`;
}

/**
 * Whether an expression is a result of the JSX expression, the text or the function of a column around it, also as a
 * branch of a condition.
 * @returns {boolean}
 */
function isShown(/** @type {ts.Node} */ node) {
  const { parent } = node;
  if (ts.isArrowFunction(parent))
    return ts.isPropertyAssignment(parent.parent) && SHOWING.test(parent.parent.name.getText());
  if (ts.isParenthesizedExpression(parent)) return isShown(parent);
  if (ts.isTemplateSpan(parent)) {
    const template = parent.parent;
    return isListed(template.parent) || isShown(template);
  }
  if (ts.isConditionalExpression(parent)) return node !== parent.condition && isShown(parent);
  if (ts.isBinaryExpression(parent)) {
    const isResult = /^(&&|\|\||\?\?)$/.test(parent.operatorToken.getText()) && node === parent.right;
    return isResult && isShown(parent);
  }
  if (!ts.isJsxExpression(parent)) return false;
  const place = parent.parent;
  if (ts.isJsxAttribute(place)) return READ.test(place.name.getText());
  return !ts.isJsxElement(place) || !VERBATIM.test(place.openingElement.tagName.getText());
}

/**
 * Whether a literal is in the catalogue, or no person reads it: a value of an API, or the error of a fault of Hangar
 * itself.
 */
function isInternal(/** @type {ts.Node} */ node) {
  const { parent } = node;
  if (ts.isTaggedTemplateExpression(parent)) return true;
  if (ts.isPropertyAssignment(parent) && node === parent.name) return true;
  // A list of names, such as 'text output'.split(' ').
  if (ts.isPropertyAccessExpression(parent)) return true;
  if (ts.isJsxAttribute(parent)) return /^(className|rel)$/.test(parent.name.getText());
  if (ts.isBinaryExpression(parent)) return /^[!=]==$/.test(parent.operatorToken.getText());
  if (ts.isCallExpression(parent))
    return /^(counted|translated|requireValue)$|\.(startsWith|closest|querySelector)$/.test(
      parent.expression.getText(),
    );
  return ts.isNewExpression(parent) && parent.expression.getText().endsWith('Error');
}

/**
 * Whether a literal reads like a part of a sentence: it has several words, or a longer word beside a value. A single
 * word is mostly a key or a value of an API, so it is seen only where JSX shows it, and as the title or label of an
 * object.
 */
function readsAsText(/** @type {ts.Node} */ node) {
  const text = literalText(node);
  if (text === null || CODE.test(text) || isInternal(node)) return false;
  const { parent } = node;
  if (ts.isPropertyAssignment(parent) && TITLE.test(parent.name.getText()) && /[a-z]{2}/.test(text)) return true;
  if (ts.isStringLiteralLike(node) && standsForText(node)) return true;
  return TWO_WORDS.test(text) || (SENTENCE.test(text) && /\S \S/.test(text)) || WORD_BESIDE_VALUE.test(text);
}

/** Whether a node is a text that goes past the catalogue. */
function unlisted(/** @type {ts.Node} */ node) {
  if (ts.isJsxText(node)) {
    const { parent } = node;
    const isVerbatim = ts.isJsxElement(parent) && VERBATIM.test(parent.openingElement.tagName.getText());
    return WORD.test(node.text) && !isVerbatim;
  }
  const text = literalText(node);
  if (text !== null && LETTER.test(text) && isShown(node)) return true;
  if (!ts.isJsxAttribute(node) || !READ.test(node.name.getText())) return false;
  const { initializer } = node;
  return initializer !== undefined && ts.isStringLiteral(initializer) && WORD.test(initializer.text);
}

/**
 * Whether an expression is what a dialog, a menu or a notification of the desktop host shows, also as a branch of a
 * condition.
 * @returns {boolean}
 */
function isShownByHost(/** @type {ts.Node} */ node) {
  const { parent } = node;
  if (ts.isPropertyAssignment(parent)) return HOST_SHOWS.test(parent.name.getText());
  if (ts.isArrayLiteralExpression(parent))
    return ts.isPropertyAssignment(parent.parent) && parent.parent.name.getText() === 'buttons';
  if (ts.isCallExpression(parent)) return parent.expression.getText().endsWith('.showErrorBox');
  if (ts.isConditionalExpression(parent)) return node !== parent.condition && isShownByHost(parent);
  return (ts.isParenthesizedExpression(parent) || ts.isBinaryExpression(parent)) && isShownByHost(parent);
}

/**
 * Whether a literal of the desktop host is a text that goes past the catalogue. Its logs are in English, and no
 * sentences.
 */
function unlistedOfHost(/** @type {ts.Node} */ node) {
  const text = literalText(node);
  if (text === null || text === 'Hangar' || isInternal(node)) return false;
  return WHOLE_SENTENCE.test(text) || (WORD.test(text) && isShownByHost(node));
}

/**
 * Whether a node chooses between two fixed texts by a count: other languages have more than two forms, which `counted`
 * has.
 */
function countsByHand(/** @type {ts.Node} */ node) {
  if (!ts.isConditionalExpression(node) || !/=== 1$/.test(node.condition.getText())) return false;
  return [node.whenTrue, node.whenFalse].every((branch) => {
    const text = literalText(ts.isTaggedTemplateExpression(branch) ? branch.template : branch);
    return text !== null && WORD.test(text);
  });
}

/**
 * Reads the texts of one source.
 * @returns {{ texts: Catalogue, misses: string[], unreadable: string[], pieces: string[] }} `misses`: texts that go past the
 *   catalogue, `unreadable`: counts whose texts are no literals, and `pieces`: texts that begin or end with a space, or begin
 *   with the punctuation of a text before them, each as "path:line: code".
 */
export function textsIn(/** @type {string} */ path, /** @type {string} */ code) {
  /** @type {ReturnType<typeof textsIn>} */
  const read = { texts: {}, misses: [], unreadable: [], pieces: [] };
  const isMissed = path.startsWith(HOST) || path.startsWith(NOTICES) ? unlistedOfHost : readsAsText;
  const isExempt = SHARED.includes(path) || REPORTS.includes(path);
  const source = ts.createSourceFile(path, code, ts.ScriptTarget.Latest, true);
  const place = (/** @type {ts.Node} */ node) =>
    `${path}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}: ${node.getText().trim().slice(0, 80)}`;
  const visit = (/** @type {ts.Node} */ node) => {
    if (ts.isTaggedTemplateExpression(node) && /^(t|rich)$/.test(node.tag.getText())) {
      const key = keyOf(node.template);
      read.texts[key] ??= key;
      if (PIECE.test(key)) read.pieces.push(place(node));
    } else if (ts.isCallExpression(node) && node.expression.getText() === 'counted') {
      const [, one, other] = node.arguments;
      if (one && other && ts.isStringLiteralLike(one) && ts.isStringLiteralLike(other)) {
        read.texts[other.text] = { one: one.text, other: other.text };
        if (PIECE.test(one.text) || PIECE.test(other.text)) read.pieces.push(place(node));
      } else read.unreadable.push(place(node));
    } else if (SHARED.includes(path) && ts.isPropertyAssignment(node) && node.name.getText() === 'title') {
      if (ts.isStringLiteral(node.initializer)) read.texts[node.initializer.text] = node.initializer.text;
    } else if (unlisted(node) || countsByHand(node) || (!isExempt && isMissed(node))) read.misses.push(place(node));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return read;
}

/** Reads all texts of the page, as `textsIn`. */
export function readTexts() {
  const read = [...sources(), ...SHARED].map((path) => textsIn(path, readFileSync(join(root, path), 'utf8')));
  const texts = read.flatMap((one) => Object.entries(one.texts));
  const catalogue = Object.fromEntries(texts.sort(([one], [other]) => (one < other ? -1 : 1)));
  return {
    catalogue,
    misses: read.flatMap((one) => one.misses),
    unreadable: read.flatMap((one) => one.unreadable),
    pieces: read.flatMap((one) => one.pieces),
  };
}

export const toFile = (/** @type {Catalogue} */ catalogue) => `${JSON.stringify(catalogue, null, 2)}\n`;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { catalogue } = readTexts();
  writeFileSync(CATALOGUE, toFile(catalogue));
  process.stdout.write(`${Object.keys(catalogue).length} texts are in renderer/language/en.json.\n`);
}
