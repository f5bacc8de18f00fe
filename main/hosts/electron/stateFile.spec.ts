import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import * as z from 'zod';
import { readStateFile } from './stateFile.ts';

const schema = z.object({ count: z.int() });
let folder = '';
let lines: string[] = [];
const logger = pino({}, { write: (line: string) => void lines.push(line) });

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'state-file-'));
  lines = [];
});
afterEach(() => rmSync(folder, { recursive: true }));

test('a file that is missing is none, and not worth a line in the log', () => {
  expect(readStateFile(join(folder, 'sub', 'state.json'), schema, logger)).toBeNull();
  expect(lines).toEqual([]);
});

test.each(['{"count":', '{"count":"many"}'])('a damaged file is none, and the log has the reason: %s', (text) => {
  const file = join(folder, 'state.json');
  writeFileSync(file, text);
  expect(readStateFile(file, schema, logger)).toBeNull();
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([expect.objectContaining({ level: 40, file })]);
});

test('a file that is understood is its value', () => {
  const file = join(folder, 'state.json');
  writeFileSync(file, '{"count":3}');
  expect(readStateFile(file, schema, logger)).toEqual({ count: 3 });
  expect(lines).toEqual([]);
});
