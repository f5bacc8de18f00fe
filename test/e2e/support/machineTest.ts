/** Tests of the page about the computer: its page object, and the service asked directly for what came of it. */
import type { Endpoint } from '#contract/api/resources.ts';
import { defaultMachineSettings } from '#contract/local/machine.ts';
import { MachinePage } from '../pages/machinePage.ts';
import { expect, test as base, type Host } from './host.ts';

export { expect };

interface Fixtures {
  machine: MachinePage;
  asFound: undefined;
}

export const test = base.extend<Fixtures>({
  machine: ({ page }, use) => use(new MachinePage(page)),
  // The rules and the pause belong to the host, which other tests share.
  asFound: [
    async ({ host }, use) => {
      await use(undefined);
      await call(host, 'PATCH', '/local/v1/settings', { machine: defaultMachineSettings });
      await call(host, 'DELETE', '/local/v1/pause');
    },
    { auto: true },
  ],
});

export async function call<T>({ api, apiKey }: Host, method: string, path: string, body?: unknown): Promise<T> {
  const answer = await fetch(api + path, {
    method,
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
  return (text === '' ? undefined : JSON.parse(text)) as T;
}

export async function endpointNamed(host: Host, name: string): Promise<Endpoint> {
  const named = (await call<Endpoint[]>(host, 'GET', '/v1/endpoints')).find((endpoint) => endpoint.name === name);
  if (!named) throw new Error(`There is no endpoint named ${name}.`);
  return named;
}

/** A job of the sample stream-words that takes `words` times `delayMs`. */
export const slow = (words: number, delayMs: number) => ({
  input: { text: Array.from({ length: words }, (_, word) => `word${word}`).join(' '), delayMs },
});
