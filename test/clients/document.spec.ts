import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { clientsDocument } from '../support/clients/document.ts';
import { reasonsWithoutACall } from './reasons.ts';

const path = join(resolve(import.meta.dirname, '../..'), 'docs', 'clients.md');

test('docs/clients.md says of each call what its test holds it to', async () => {
  await expect(await clientsDocument()).toMatchFileSnapshot(path);
});

test('each reason names calls and versions of a client in the table', () => {
  expect(reasonsWithoutACall()).toEqual([]);
});
