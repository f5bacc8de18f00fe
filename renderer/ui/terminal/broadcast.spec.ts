import { expect, it } from 'vitest';
import { isTypedByPerson } from './broadcast.ts';

const ESC = '\u001b';

it.each([
  'a',
  'ls\r',
  '\u0003',
  `${ESC}[A`,
  `${ESC}OP`,
  `${ESC}[1;5C`,
  `${ESC}[1;5S`,
  `${ESC}[200~two\rlines${ESC}[201~`,
])('%j is typed by a person and goes to all terminals', (data) => expect(isTypedByPerson(data)).toBe(true));

it.each([
  `${ESC}[?1;2c`,
  `${ESC}[>0;276;0c`,
  `${ESC}[12;40R`,
  `${ESC}[4;480;640t`,
  `${ESC}[?2;0;640;480S`,
  `${ESC}[0n`,
  `${ESC}]10;rgb:00/00/00${ESC}\\`,
  `${ESC}[<0;3;4M`,
  `${ESC}[I`,
])('%j is an answer of one terminal and stays there', (data) => expect(isTypedByPerson(data)).toBe(false));
