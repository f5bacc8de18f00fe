import { describe, expect, it } from 'vitest';
import { PSEUDO, arrange, chooseLanguage, createTexts, pluralText, type Translation } from './translation.ts';

const { t, counted } = createTexts('en', null);

const german: Translation = {
  'Delete {0}?': '{0} löschen?',
  'Move {0} to {1}': 'Nach {1}: {0}',
  '{0} jobs': { one: '{0} Auftrag', other: '{0} Aufträge' },
};
const polish: Translation = { '{0} jobs': { one: '{0} zadanie', few: '{0} zadania', many: '{0} zadań' } };

describe('a text', () => {
  it('stands in English in the code, with its values in place', () => {
    expect(t`Delete ${'a'}?`).toBe('Delete a?');
    expect(t`${1} of ${2}`).toBe('1 of 2');
  });

  it('is the one of the translation, with its values in the order of that language', () => {
    expect(arrange(['Delete ', '?'], ['a'], german).join('')).toBe('a löschen?');
    expect(arrange(['Move ', ' to ', ''], ['a', 'b'], german).join('')).toBe('Nach b: a');
  });

  it('stays English where the translation lacks it', () => {
    expect(arrange(['Rename ', ''], ['a'], german).join('')).toBe('Rename a');
  });

  it('keeps elements among its values as they are', () => {
    const element = { type: 'b' };
    expect(arrange(['Delete ', '?'], [element], german)).toEqual(['', element, ' löschen?']);
  });
});

describe('a text of the language of testers', () => {
  it('is in brackets, also as a count and as a title that stands elsewhere, and nothing else is', () => {
    const texts = createTexts(PSEUDO, null);
    expect(texts.t`Delete ${'a'}?`).toBe('⟦Delete a?⟧');
    expect(texts.counted(2, '{0} job', '{0} jobs')).toBe('⟦2 jobs⟧');
    expect(texts.translated('Jobs')).toBe('⟦Jobs⟧');
    expect(texts.marked(' ')).toBe(' ');
  });
});

describe('a count in words', () => {
  it('has the English forms without a translation', () => {
    expect([0, 1, 2].map((count) => counted(count, '{0} job', '{0} jobs'))).toEqual(['0 jobs', '1 job', '2 jobs']);
    expect(counted(1200, '{0} job', '{0} jobs', '1 200')).toBe('1 200 jobs');
  });

  it('has the plural forms of the language of the translation', () => {
    const texts = [1, 2, 5].map((n) => pluralText(n, '{0} job', '{0} jobs', polish, new Intl.PluralRules('pl')));
    expect(texts).toEqual(['{0} zadanie', '{0} zadania', '{0} zadań']);
  });
});

describe('the language', () => {
  const there = new Set(['de', 'pt-BR']);

  it('is the first of the person that has a translation, also that of another country', () => {
    expect(chooseLanguage(['fr', 'de-AT', 'en'], there)).toBe('de');
    expect(chooseLanguage(['pt-BR'], there)).toBe('pt-BR');
  });

  it('is English where the person puts it first, or no translation fits', () => {
    expect(chooseLanguage(['en-GB', 'de'], there)).toBe('en');
    expect(chooseLanguage(['fr'], there)).toBe('en');
    expect(chooseLanguage([], there)).toBe('en');
  });

  it('is the one of testers only where the browser asks for just that', () => {
    expect(chooseLanguage([PSEUDO, 'en'], there)).toBe(PSEUDO);
  });
});
