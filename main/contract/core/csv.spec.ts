/** What a spreadsheet makes of the fields of a CSV file. */
import { expect, test } from 'vitest';
import { csvRow } from './csv.ts';

test('A field is quoted where it holds a separator, a quote, a line break or spaces at its ends, and otherwise stays as it is', () => {
  expect(csvRow(['plain', 'a b', 1.5, null])).toBe('plain,a b,1.5,\r\n');
  expect(csvRow(['a,b', 'a;b', 'say "hi"', 'two\nlines', ' x'])).toBe('"a,b","a;b","say ""hi""","two\nlines"," x"\r\n');
});

test('A number of JSON keeps its digits, and what is none is a text', () => {
  const digits = ['1.0', '-1', '1e3', '-2.50E-7', '12345678901234567890'];
  expect(csvRow(digits.map((json) => ({ json })))).toBe(`${digits.join(',')}\r\n`);
  expect(csvRow([{ json: '-1+A1' }, { json: '-' }])).toBe("'-1+A1,'-\r\n");
});

test.each(['=', '+', '-', '@', '＝', '＋', '－', '＠'])('A text that begins with %s is no formula', (sign) => {
  expect(csvRow([`${sign}1`])).toBe(`'${sign}1\r\n`);
  expect(csvRow([`  ${sign}1`])).toBe(`"  '${sign}1"\r\n`);
});

test.each([';', '\t', '\r', '\n', '\r\n'])(
  'A text is no formula after %j either, where a spreadsheet splits a field in spite of its quotes',
  (separator) => {
    expect(csvRow([`a${separator}=1`, `b${separator} @c`])).toBe(`"a${separator}'=1","b${separator} '@c"\r\n`);
  },
);

test('A sign within a text and a negative number stay as they are', () => {
  expect(csvRow(['a-b=c', '{"n":-1}', -1])).toBe('a-b=c,"{""n"":-1}",-1\r\n');
});
