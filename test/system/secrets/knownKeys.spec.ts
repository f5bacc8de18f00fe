/**
 * Known keys go every way that a whole Hangar has: they are then looked for in all that it wrote, said, answered and
 * started. What a person sends as a job's input is theirs: it is kept as it was sent, and only left out of what is made
 * to be handed on.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { THIS_MACHINE } from '#contract/app/account.ts';
import type { AccountDraft } from '#contract/app/accountDraft.ts';
import { shownKeySchema } from '#contract/bridge/apiKey.ts';
import { copyBeforeMigration } from '../../../main/app/ledger/backup.ts';
import { processesWith } from '../../../main/engine/runtime/process/identity.ts';
import { startRemote, type Remote } from '../../support/remote/remote.ts';
import { until } from '../../support/core/until.ts';
import { filesWith, holds } from '../../support/disk/secretsInFiles.ts';
import {
  ask,
  connect,
  newDataDir,
  pair,
  startHost,
  type DataDir,
  type Host,
  type Page,
  type Session,
} from '../headless/headlessHost.ts';
import { needsPosix } from '../../support/core/skip.ts';

const made = (): string => randomBytes(20).toString('hex').toUpperCase();
/** What must be found nowhere, by what it is. */
const keys = {
  account: `rpa_${made()}`,
  // Of a service whose keys look like nothing that is known; spelt otherwise in addresses and in JSON.
  'account of another service': `sk/${made()}+"live"=`,
  'replaced, of an account': `sk-${made()}`,
  'mistyped, of an account': `${made()}+mistyped=`,
  'access id': `id/${made()}`,
  'access secret': `secret+${made()}/=`,
  passphrase: `correct horse ${made()}`,
  local: '',
};
/** Given by whoever starts the program, and told to them alone. */
const runKey = `own/${made()}+key`;
/** Of nobody's account: a person sends it as input. */
const sent = `rpa_${made()}`;

/** In place of a bug in the app or the engine: a signal at which either falls, with keys in what it throws. */
const fall = `
  import { readFileSync } from 'node:fs';
  process.on('SIGUSR2', () => {
    const keys = JSON.parse(readFileSync(new URL('keys.json', import.meta.url), 'utf8'));
    throw Object.assign(new Error('fell with ' + JSON.stringify(keys)), { keys, cause: new Error(Object.values(keys).join('\\n')) });
  });
`;
const handler = `
  console.log(JSON.stringify(process.env));
  for (const [name, value] of Object.entries(process.env)) console.error(name + '=' + value);
  export default ({ input }) => input;
`;

/** What makes a program load it. */
const importFall = (folder: string): string => `--import=${pathToFileURL(join(folder, 'fall.mjs')).href}`;

/** A process and all that it has started. */
async function family(pid: number): Promise<number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  const families = await Promise.all(children.trim().split(' ').filter(Boolean).map(Number).map(family));
  return [pid, ...families.flat()];
}
const ofProcess = (pid: number, what: 'cmdline' | 'environ'): Promise<Buffer> =>
  readFile(`/proc/${pid}/${what}`).catch(() => Buffer.alloc(0));

function isGone(pid: number): boolean {
  try {
    return !process.kill(pid, 0);
  } catch {
    return true;
  }
}

// Processes are told to fall by signals.
describe('keys that are known', needsPosix, () => {
  let remote: Remote;
  let dataDir: DataDir;
  let outside: string;
  let host: Host;
  let page: Page;
  let api: string;
  let session: Session;
  /** What the page was answered, errors and exports included. */
  const answers: string[] = [];
  let output = '';

  const noteAnswer = async (answer: Promise<unknown>): Promise<void> => {
    const text = await answer.then(
      (value) => JSON.stringify(value),
      (thrown: unknown) => JSON.stringify([(thrown as Error).message, (thrown as Error).stack, thrown]),
    );
    answers.push(text ?? '');
  };
  const refusal = async (answer: Promise<unknown>): Promise<void> => {
    await expect(answer).rejects.toThrow();
    await noteAnswer(answer);
  };
  const exported = async (format: 'csv' | 'jsonl'): Promise<string> => {
    let text = '';
    for await (const piece of await page.client.jobs.export({ format, filter: {} })) text += piece.text;
    answers.push(text);
    return text;
  };
  async function ended(entryId: string): Promise<void> {
    for await (const event of await page.client.jobs.watch({ entryId })) {
      answers.push(JSON.stringify(event));
      if (event.type !== 'chunks' && event.entry.finishedAt !== null) return;
    }
  }

  beforeAll(async () => {
    remote = await startRemote();
    dataDir = await newDataDir();
    outside = await mkdtemp(join(tmpdir(), 'hangar-outside-'));
    await writeFile(join(outside, 'fall.mjs'), fall);
    await mkdir(join(outside, 'worker'));
    await writeFile(join(outside, 'worker', 'handler.mjs'), handler);
    await writeFile(join(outside, 'passphrase'), keys.passphrase);
    host = startHost(['--data-dir', dataDir.path, '--port', '0', '--ui-port', '0', '--json'], {
      HANGAR_KEYS: 'file',
      HANGAR_PASSPHRASE_FILE: join(outside, 'passphrase'),
      HANGAR_API_KEY: runKey,
      // The most that is ever written.
      HANGAR_LOG_LEVEL: 'debug',
      NODE_OPTIONS: importFall(outside),
    });
    for (const stream of [host.child.stdout!, host.child.stderr!]) {
      stream.on('data', (piece: Buffer | string) => (output += String(piece)));
    }
    const ready = await host.ready();
    api = ready.api;
    session = await pair(ready.ui!);
    page = await connect(ready.ui!, session);
  });
  afterAll(async () => {
    await page[Symbol.asyncDispose]();
    await host.stop();
    await remote.stop();
    await dataDir[Symbol.asyncDispose]();
    await rm(outside, { recursive: true });
  });

  const draft = (key: string, graphql = true): AccountDraft => ({
    preset: 'addresses',
    name: `Account ${remote.requests.length}`,
    key,
    addresses: { ...remote.v1, graphql: graphql ? remote.v1.graphql : null },
  });
  const cloud = (key: string, at = remote): AccountDraft => ({
    preset: 'runpod',
    name: `Cloud ${remote.requests.length}`,
    key,
    addresses: { jobs: at.v2.jobs, management: at.v2.management, graphql: null },
  });

  it('go with every request and answer about accounts, jobs and terminals, and no answer to the page has one', async () => {
    const { accounts, endpoints, jobs, apiKeys, terminals } = page.client;
    const other = keys['account of another service'];
    remote.setKey('all', keys.account);
    for (const key of [other, keys['replaced, of an account']]) remote.setKey('all', key);
    await refusal(accounts.add({ draft: draft(keys['mistyped, of an account']) }));
    await noteAnswer(accounts.probe({ draft: cloud(keys['mistyped, of an account']) }));
    const away = await startRemote();
    await away.stop();
    await noteAnswer(accounts.probe({ draft: cloud(other, away) }));

    // GraphQL that takes no key in the header is given it in the address.
    remote.fault({
      area: 'graphql',
      as: { status: 401, json: { errors: [{ message: `no ${keys.account}` }] } },
      times: 1,
    });
    const { id: v1 } = await accounts.add({ draft: draft(keys.account) });
    expect(remote.requests.some(({ area, path }) => area === 'graphql' && path.includes('api_key='))).toBe(true);
    const { id: v2 } = await accounts.add({ draft: cloud(keys['replaced, of an account']) });
    await noteAnswer(accounts.replaceKey({ accountId: v2, key: other }));
    await refusal(accounts.replaceKey({ accountId: v2, key: keys['mistyped, of an account'] }));

    const { record, shown } = await apiKeys.create({ accountId: THIS_MACHINE, name: 'known', scope: 'all' });
    answers.push(JSON.stringify([record, shown]));
    const link = new URL(shownKeySchema.options[0].parse(shown).path, (await host.ready()).ui!);
    keys.local = /rpa_\w+/.exec(
      (await ask(link.href, { cookie: session.cookie, 'sec-fetch-mode': 'navigate' })).text,
    )![0];
    const engine = { preset: 'engine', name: 'Engine', key: keys.local } as const;
    const added = await accounts.add({
      draft: { ...engine, addresses: { jobs: api, management: null, graphql: null } },
    });
    answers.push(JSON.stringify(added));
    const viewer = '00000000-0000-4000-8000-000000000000';
    await refusal(
      terminals
        .attach({ accountId: added.id, viewer, kind: 'pod', targetId: 'none', columns: 80, rows: 24 })
        .then((events) => events.next()),
    );

    for (const [accountId, key] of [[v1, keys.account] as const, [v2, other] as const]) {
      const echoes = [
        { status: 400, json: { error: `what is ${key}?`, detail: `Bearer ${key}`, errors: [key] } },
        { status: 500, text: key, type: 'text/html' },
        { status: 302, headers: { location: `https://elsewhere.example/?api_key=${encodeURIComponent(key)}` } },
        { status: 429, json: { message: encodeURIComponent(key) }, headers: { 'retry-after': '0' } },
        'drop' as const,
        'cut' as const,
      ];
      for (const as of echoes) {
        const calm = remote.fault({ as });
        await refusal(endpoints.list({ accountId }));
        calm();
      }
      await noteAnswer(accounts.test({ accountId }));
      const { id: endpointId } = remote.addEndpoint({ name: `echo ${accountId}` }, ({ input }) => {
        if ((input as { fails?: true }).fails) throw new Error(`not with ${key}`);
        return input;
      });
      const s3Config = { accessId: keys['access id'], accessSecret: keys['access secret'], bucketName: 'mine' };
      for (const input of [{ sent }, { fails: true }]) {
        const body = JSON.stringify({ input, s3Config });
        const { entryId } = await jobs.submit({
          entryId: randomUUID(),
          endpointName: 'x',
          accountId,
          endpointId,
          mode: 'run',
          body,
        });
        await ended(entryId);
        await noteAnswer(Promise.all([jobs.get({ entryId }), jobs.requests({ entryId }), jobs.webhooks({ entryId })]));
      }
    }
    await noteAnswer(accounts.list());
    for (const [what, key] of Object.entries(keys)) {
      expect(
        answers.filter((text) => holds(text, key)),
        what,
      ).toEqual([]);
    }
  });

  it('are in no export, where what was sent as input is not either; the ledger keeps that as it was sent', async () => {
    const texts = [await exported('csv'), await exported('jsonl')];
    for (const text of texts) {
      expect(text).toContain('COMPLETED');
      for (const [what, key] of Object.entries({ ...keys, sent })) expect(holds(text, key), what).toBe(false);
    }
    expect((await filesWith(dataDir.path, sent)).some((path) => path.includes('ledger.db'))).toBe(true);
  });

  it('are in no log of a worker that writes down its environment, nor in any argument or environment of a process', async () => {
    const { endpoints, jobs, logs } = page.client;
    const imageName = pathToFileURL(join(outside, 'worker')).href;
    const { endpointId } = await endpoints.create({
      accountId: THIS_MACHINE,
      template: { name: 'telling', imageName, isServerless: true },
      endpoint: { name: 'telling', workersMax: 1 },
    });
    const s3Config = { accessId: keys['access id'], accessSecret: keys['access secret'] };
    const body = JSON.stringify({ input: { sent }, s3Config });
    const { entryId } = await jobs.submit({
      entryId: randomUUID(),
      endpointName: 'x',
      accountId: THIS_MACHINE,
      endpointId,
      mode: 'run',
      body,
    });
    await ended(entryId);
    const lines = await until('the key of the worker in its log', async () => {
      const logPage = await logs.page({ accountId: THIS_MACHINE, filter: { text: 'RUNPOD_AI_API_KEY' }, limit: 10 });
      return logPage.lines.length > 1 ? logPage.lines : null;
    });
    for (const { text } of lines) expect(text).toMatch(/RUNPOD_AI_API_KEY("?[:=]"?)•••/);
    if (process.platform !== 'linux') return;
    const [own, ...started] = await family(host.child.pid!);
    expect(started.length).toBeGreaterThan(1);
    for (const pid of [own!, ...started]) {
      // What the host itself was given in its environment lies there for its whole life; nobody inherits it.
      const texts = [await ofProcess(pid, 'cmdline'), ...(pid === own ? [] : [await ofProcess(pid, 'environ')])];
      for (const [what, key] of Object.entries({ ...keys, runKey })) {
        for (const text of texts) expect(holds(text, key), what).toBe(false);
      }
    }
  });

  it('are in nothing that was written or said, also by an engine and an app that fall with keys in hand', async () => {
    await writeFile(join(outside, 'keys.json'), JSON.stringify({ ...keys, runKey }));
    const log = (name: string): string => readFileSync(join(dataDir.path, 'logs', `${name}.log`), 'utf8');
    const started = [...log('app').matchAll(/"enginePid":(\d+)/g)].map((match) => Number(match[1]));
    const all = process.platform === 'linux' ? await family(host.child.pid!) : [...started];
    process.kill(started.at(-1)!, 'SIGUSR2');
    await until(
      'the app to know of it',
      () => log('app'),
      (now) => now.includes('the engine died'),
    );
    await until(
      'its last words',
      () => log('engine'),
      (now) => now.includes('fell with'),
    );
    host.child.kill('SIGUSR2');
    expect((await host.exited()).code).toBe(1);
    expect(log('app')).toContain('fell with');
    expect(output).toContain('fell with');
    await until(
      'all that was started to have ended',
      () => all,
      (now) => now.every(isGone),
    );
    // So has an engine that was started again before the app fell.
    const fallsByImport = { name: 'NODE_OPTIONS', value: importFall(outside) };
    await until(
      'an engine that was started again to have ended',
      () => processesWith(fallsByImport),
      ({ length }) => length === 0,
    );
    const { stdout } = await host.exited();
    const [ready, ...others] = stdout;
    expect(ready).toContain(JSON.stringify(runKey).slice(1, -1));
    const rest = output.replace(ready!, '') + others.join('\n');
    expect(log('app')).toContain('"level":20');
    // As it is copied before a newer Hangar changes its tables.
    const ledger = join(dataDir.path, 'ledger.db');
    const db = new DatabaseSync(ledger);
    copyBeforeMigration(db, ledger, 1);
    db.close();
    const copies = await filesWith(join(dataDir.path, 'backups'), sent);
    // An engine that was started again before the app fell ends in order, and copies its database then.
    const ledgerCopies = copies.filter((path) => !basename(path).startsWith('engine-'));
    expect(ledgerCopies).toEqual([join(dataDir.path, 'backups', 'ledger-version1.db')]);
    for (const [what, key] of Object.entries({ ...keys, runKey })) {
      expect(await filesWith(dataDir.path, key), what).toEqual([]);
      expect(holds(rest, key), what).toBe(false);
    }
    // Nor the keys that workers were lent.
    const lent = /rpa_[0-9a-f]{48}/;
    expect(rest.replaceAll(/"event":"first-key".*/g, '')).not.toMatch(lent);
    for (const entry of await readdir(dataDir.path, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      if (entry.isFile()) expect(lent.test(await readFile(path, 'latin1')), path).toBe(false);
    }
  });
});
