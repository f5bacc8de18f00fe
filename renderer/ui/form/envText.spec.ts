import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readEnvText } from './envText.ts';

const asRecord = (text: string) => Object.fromEntries(readEnvText(text).rows.map(({ name, value }) => [name, value]));

describe('the text of a .env file', () => {
  it.each([
    ['A=1\nB=two words\n\n# a comment\n  C = 3  ', { A: '1', B: 'two words', C: '3' }],
    ['export TOKEN=abc\nexport  OTHER="a b"', { TOKEN: 'abc', OTHER: 'a b' }],
    [
      `A="double # no comment" # a comment\nB='single "inside"'\nC=\`back 'tick'\``,
      { A: 'double # no comment', B: 'single "inside"', C: "back 'tick'" },
    ],
    ['KEY="-----BEGIN-----\nabc\n-----END-----"\nAFTER=1', { KEY: '-----BEGIN-----\nabc\n-----END-----', AFTER: '1' }],
    ['A="one\\ntwo"\nB=\'one\\ntwo\'', { A: 'one\ntwo', B: 'one\\ntwo' }],
    ['EMPTY=\nALSO=""\nLAST=x', { EMPTY: '', ALSO: '', LAST: 'x' }],
    ['A=1\nA=2', { A: '2' }],
    ['WINDOWS=1\r\nENDS=2\r\n', { WINDOWS: '1', ENDS: '2' }],
    ['OPEN="not closed\nB=1', { OPEN: '"not closed', B: '1' }],
    ['URL=postgres://me:pw@host/db?a=b=c', { URL: 'postgres://me:pw@host/db?a=b=c' }],
  ])('%j is read as Node reads it', (text, record) => {
    expect(asRecord(text)).toEqual(record);
  });

  it('keeps a "#" within a value, of which Node would cut off the rest', () => {
    expect(asRecord('PASSWORD=a#b\nB=1 # a comment')).toEqual({ PASSWORD: 'a#b', B: '1' });
  });

  it('names the lines that are no variable', () => {
    expect(readEnvText('A="1\n2"\nwhat is this\n# fine\n\n=x\nB=1').unreadLines).toEqual([3, 6]);
  });

  it('gives back any values that are written in single quotes', () => {
    const value = fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll(/['\r]/g, ''));
    fc.assert(
      fc.property(fc.array(value), (values) => {
        const text = values.map((one, place) => `V${place}='${one}'`).join('\n');
        expect(readEnvText(text).rows.map((row) => row.value)).toEqual(values);
      }),
    );
  });

  it('is read to its end whatever it is', () => {
    const unit = fc.constantFrom('A', '=', '"', "'", '`', '#', '\\', '\n', ' ', 'export ');
    fc.assert(fc.property(fc.string({ unit }), (text) => void readEnvText(text)));
  });
});
