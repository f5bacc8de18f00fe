/** Every text of the page stands in one catalogue, and each translation fits it. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { jobStatuses } from '#contract/api/job.ts';
import { endpointCreateSchema, templateCreateSchema } from '#contract/api/resources.ts';
import { CATALOGUE, readTexts, textsIn, toFile } from '../../scripts/dev/texts.mjs';

const { catalogue, misses, unreadable, pieces } = readTexts();
const folder = join(CATALOGUE, '..');

const translationSchema = z.record(z.string(), z.union([z.string(), z.record(z.string(), z.string())]));
const forms = (text: string | Record<string, string>): string[] =>
  typeof text === 'string' ? [text] : Object.values(text);
const values = (text: string): string[] => [...new Set(text.match(/\{\d+\}/g))].sort();

/** What is wrong with a translation, a line for each text. */
export function problemsOf(translation: z.infer<typeof translationSchema>, english: typeof catalogue): string[] {
  return Object.entries(translation).flatMap(([key, text]) => {
    const original = english[key];
    if (original === undefined) return [`the page has no text "${key}"`];
    if (typeof original !== typeof text)
      return [`"${key}" needs ${typeof original === 'string' ? 'one text' : 'a text for each plural form'}`];
    if (typeof text !== 'string' && !('other' in text)) return [`"${key}" lacks the form "other"`];
    const unknown = forms(text)
      .flatMap(values)
      .filter((value) => !forms(original).flatMap(values).includes(value));
    return unknown.map((value) => `"${key}" has no value ${value}`);
  });
}

describe('the texts of the page', () => {
  it('stand in the catalogue, which `npm run texts` writes', () => {
    expect(readFileSync(CATALOGUE, 'utf8'), 'run `npm run texts`').toBe(toFile(catalogue));
  });

  it('go through t, rich, counted or translated, so that a translation reaches them', () => {
    expect(misses).toEqual([]);
  });

  it('are whole, so that a translation can put their words in another order', () => {
    expect(pieces, 'write a text for each case, with values; joinSentences puts sentences after each other').toEqual(
      [],
    );
  });

  it.each([
    ['a space before it', 'const a = t` and costs twice`;', 1],
    ['a space behind it', 'const a = t`Last known: `;', 1],
    ['a space behind its value', 'const a = t`${count} of `;', 1],
    ['a comma before it', 'const a = t`, searching…`;', 1],
    ['a count with a space before it', "const a = counted(count, ' {0} job', ' {0} jobs');", 1],
    ['a name that begins with a dot', 'const a = t`.venv is ready.`;', 0],
    ['a value at both ends', 'const a = t`${from} to ${to}`;', 0],
  ])('are pieces with %s', (_what, code, count) => {
    expect(textsIn('a.tsx', code).pieces).toHaveLength(count);
  });

  it.each([
    ['in JSX', 'const a = <p>Not here</p>;'],
    ['in a label', 'const a = <input aria-label="Name" />;'],
    ['as a branch in JSX', "const a = <p>{open ? 'Open' : null}</p>;"],
    ['in a sentence of TypeScript', "const a = unknown ? ' and more' : '';"],
    ['between two values', 'const a = `${min} to ${max}`;'],
    ['beside a value', 'const a = `Endpoint ${name}`;'],
    ['beside a value, with a short word', 'const a = `off: ${problem}`;'],
    ['in brackets after a value', 'const a = `${id} (deleted)`;'],
    ['in two words without a verb', "const a = 'Worker start';"],
    ['in the singular and the plural', "const a = `${count} ${count === 1 ? 'input' : 'inputs'}`;"],
    ['in two forms by hand', 'const a = count === 1 ? t`It ends.` : t`They end.`;'],
    ['as the title of an object', "const column = { title: 'Line' };"],
    ['in one word beside a text', "const a = failed ? t`Not sent` : 'sent';"],
    ['in one word beside an element', "const a = isDone ? 'unknown' : <Skeleton />;"],
    ['in one word for an empty text', "const a = text === '' ? 'none' : text;"],
    ['in one word for an empty list', "const a = names.join(', ') || 'none';"],
    ['in one word among labels', "const a: Record<State, string> = { open: t`open now`, shut: 'shut' };"],
    ['in one word of a cell', "const column = { cell: ({ status }) => status ?? 'none' };"],
    ['in one word of a sentence', "const a = t`Choose a ${isFolder ? 'folder' : kind}.`;"],
    ['in one word for an empty field', 'const a = <Amount empty="nothing" />;'],
  ])('are missed %s without t', (_where, code) => {
    expect(textsIn('a.tsx', code).misses).toHaveLength(1);
  });

  it.each([
    ['a text of the catalogue', 'const a = t`${min} to ${max}`;'],
    ['a style', "const a = '1px solid var(--line)';"],
    ['a key', 'const a = `pod:${id}`;'],
    ['a value of the API', "const a = from === 'the agent';"],
    ['the error of a fault of Hangar', "throw new Error('The page has no root element.');"],
    ['code', 'const a = `curl -sS ${url}`;'],
    ['code of several lines', "const a = 'import json\\nimport time';"],
    ['a selector', "const a = cell.closest('th button');"],
    ['a list of names', "const a = 'text output'.split(' ');"],
    ['a relation of a link', 'const a = <a rel="noopener noreferrer" href={to} />;'],
    ['an example in a field', "const field = { placeholder: 'my-inputs' };"],
    ['the name of a product', "const a = 'NVIDIA RTX A6000';"],
    ['a measure', 'const a = `${size} GB, ${wait} min`;'],
    ['a value of the API instead of none', "const a = wanted ?? 'jobs';"],
    ['a value of the API in a condition', "const a = isFile ? 'file' : kind;"],
    ['a name among labels', "const a: Record<string, string> = { linux: t`Linux`, darwin: 'macOS' };"],
    ['a value of the API beside a text', "const a = { tone: 'bad', words: t`Not sent` };"],
  ])('do not include %s', (_what, code) => {
    expect(textsIn('a.tsx', code).misses).toEqual([]);
  });

  it('say in words what the API calls by the name of a field or a state', () => {
    const fields = [endpointCreateSchema, templateCreateSchema].flatMap(({ shape }) => Object.keys(shape));
    const names = [...jobStatuses, ...fields.filter((name) => /[A-Z]/.test(name))];
    expect(names).toContain('workersMax');
    const name = new RegExp(`\\b(${names.join('|')})\\b`);
    expect(
      Object.values(catalogue)
        .flatMap(forms)
        .filter((text) => name.test(text)),
    ).toEqual([]);
  });

  it('have literal texts where they are counted', () => {
    expect(unreadable).toEqual([]);
  });
});

describe('a translation', () => {
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'));

  it.each(files)('%s has only texts and values of the page', (name) => {
    const translation = translationSchema.parse(JSON.parse(readFileSync(join(folder, name), 'utf8')));
    expect(problemsOf(translation, catalogue)).toEqual([]);
  });

  it('is refused with a text, a value or a form that does not fit', () => {
    const english = { 'Delete {0}?': 'Delete {0}?', '{0} jobs': { one: '{0} job', other: '{0} jobs' } };
    expect(problemsOf({ 'Delete {0}?': '{0} löschen?', '{0} jobs': { other: '{0} Aufträge' } }, english)).toEqual([]);
    expect(
      problemsOf({ Delete: 'Löschen', 'Delete {0}?': '{1} löschen?', '{0} jobs': { one: '{0} Auftrag' } }, english),
    ).toEqual(['the page has no text "Delete"', '"Delete {0}?" has no value {1}', '"{0} jobs" lacks the form "other"']);
    expect(problemsOf({ '{0} jobs': '{0} Aufträge' }, english)).toEqual([
      '"{0} jobs" needs a text for each plural form',
    ]);
  });
});
