/** An endpoint whose jobs run until the test lets them end, however slow the machine is. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, type Desktop } from './desktop.ts';
import { engineStarts, logged } from './traces.ts';

type Call = (method: string, path: string, body?: unknown) => Promise<Record<string, unknown>>;

export interface GatedEndpoint {
  /** Of its job API. */
  readonly path: string;
  /** A request to the engine with a key of full scope, which must be answered 200. */
  call: Call;
  /** From now on its jobs end: each with the `text` of its input. */
  open(): void;
}

/** Takes the place of the message boxes of the app and of its clipboard: a new key is given out there. */
async function apiOf(desktop: Desktop, home: string): Promise<Call> {
  const starts = await engineStarts(home);
  await logged(home, 'started');
  await desktop.app.evaluate(({ dialog, Menu }) => {
    dialog.showMessageBox = async () => ({ response: 0, checkboxChecked: false });
    Menu.getApplicationMenu()?.getMenuItemById('new-api-key')?.click();
  });
  const copied = (): Promise<string> => desktop.app.evaluate(({ clipboard }) => clipboard.readText());
  await expect.poll(copied).toMatch(/^rpa_/);
  const authorization = `Bearer ${await copied()}`;
  return async (method, path, body) => {
    const answer = await fetch(`${starts.at(-1)?.address}${path}`, {
      method,
      headers: { authorization, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    expect(answer.status, `${method} ${path}`).toBe(200);
    return (await answer.json()) as Record<string, unknown>;
  };
}

/** Makes the endpoint `waits`. */
export async function makeGatedEndpoint(desktop: Desktop, home: string): Promise<GatedEndpoint> {
  const call = await apiOf(desktop, home);
  const folder = join(home, 'handler');
  const gate = join(home, 'go-on');
  mkdirSync(folder);
  writeFileSync(
    join(folder, 'handler.mjs'),
    `import { existsSync } from 'node:fs';
    export default async ({ input }) => {
      while (!existsSync(${JSON.stringify(gate)})) await new Promise((resolve) => setTimeout(resolve, 50));
      return input.text ?? null;
    };\n`,
  );
  const imageName = pathToFileURL(folder).href;
  const template = await call('POST', '/v1/templates', { name: 'waits', imageName, isServerless: true });
  const endpoint = await call('POST', '/v1/endpoints', { name: 'waits', templateId: template['id'] });
  return { path: `/v2/${String(endpoint['id'])}`, call, open: () => writeFileSync(gate, '') };
}
