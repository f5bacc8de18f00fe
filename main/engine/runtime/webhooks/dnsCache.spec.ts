import type { LookupAddress, LookupOptions } from 'node:dns';
import { expect, it } from 'vitest';
import { createNameLookup } from './dnsCache.ts';

type Answer = { code: string | undefined; address: string | LookupAddress[] };

const ask = (hostname: string, options: LookupOptions): Promise<Answer> =>
  new Promise((resolve) => {
    createNameLookup()(hostname, options, (error, address) => resolve({ code: error?.code, address }));
  });

it.each([{ all: false }, { all: true }])('a name that does not exist is an error, with %o', async (options) => {
  const { code } = await ask('no-such-receiver.invalid', options);
  expect(code).toMatch(/^(ENOTFOUND|EAI_AGAIN)$/);
});

it('names below localhost are this machine', async () => {
  expect(await ask('page.localhost', { all: false })).toEqual({ code: undefined, address: '127.0.0.1' });
});
