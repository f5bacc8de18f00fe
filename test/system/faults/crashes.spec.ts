/**
 * Crash recovery of a whole Hangar: its processes are killed while a job runs. No result is lost, and a report says
 * what happened.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { THIS_MACHINE } from '#contract/app/account.ts';
import type { Place } from '#contract/bridge/data/places.ts';
import type { CrashedPart, CrashNotice } from '#contract/app/crash.ts';
import { until } from '../../support/core/until.ts';
import { connect, newDataDir, pair, startHost, type BridgeClient, type Host } from '../headless/headlessHost.ts';
import { reasonForNoKeyring, startKeyring } from '../secrets/keyring.ts';
import { needsPosix, skipFor } from '../../support/core/skip.ts';

const ANY_PORTS = ['--json', '--port', '0', '--ui-port', '0'];
const OWN_KEY = 'rpa_OWN_KEY_of_this_test_1234567890';
/** Part of the input of each job: it must be in no report. */
const INPUT_MARK = 'a-private-input-of-a-person';

/** Notes each run in a file, and waits for a file that the test writes. */
const handler = `
  import { appendFileSync, existsSync } from 'node:fs';
  import { setTimeout as pause } from 'node:timers/promises';
  const at = (name) => new URL(name, import.meta.url);
  export default async (job) => {
    appendFileSync(at('./runs'), job.id + '\\n');
    console.log('a line of the handler');
    while (!existsSync(at('./go'))) await pause(20);
    return { answer: job.input.n * 2 };
  };`;

async function startPage(host: Host) {
  const { ui } = await host.ready();
  return connect(ui ?? '', await pair(ui ?? ''));
}

/** Submits a job whose handler waits for `release`; resolves once it runs. */
async function startJob(client: BridgeClient, dataDir: string) {
  const folder = join(dataDir, 'handlers', 'slow');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'handler.mjs'), handler);
  const { endpointId } = await client.endpoints.create({
    accountId: THIS_MACHINE,
    template: { name: 'slow', imageName: pathToFileURL(folder).href, isServerless: true },
    endpoint: { name: 'slow', workersMin: 0, workersMax: 1 },
  });
  const entryId = randomUUID();
  const body = JSON.stringify({ input: { n: 21, text: INPUT_MARK } });
  await client.jobs.submit({
    accountId: THIS_MACHINE,
    endpointId,
    endpointName: 'slow',
    entryId,
    mode: 'run',
    body,
  });
  const runs = async (): Promise<number> =>
    (await readFile(join(folder, 'runs'), 'utf8').catch(() => '')).split('\n').length - 1;
  await until('the job to run', runs, (count) => count > 0);
  return {
    runs,
    async end() {
      await writeFile(join(folder, 'go'), '');
      for await (const event of await client.jobs.watch({ entryId })) void event;
      const { entry, output } = await client.jobs.get({ entryId });
      return { status: entry.status, output };
    },
  };
}

/** The notice of a crash, with the checks that hold for each report. */
async function checkReport(client: BridgeClient, part: CrashedPart, dataDir: string): Promise<CrashNotice> {
  let notice: CrashNotice | undefined;
  for await (const notices of await client.host.crashes.watch()) {
    notice = notices.find((one) => one.part === part);
    if (notice) break;
  }
  if (!notice?.report) throw new Error('there is no report');
  const { text } = await client.host.crashes.report({ part });
  expect(text).toBe(await readFile(notice.report, 'utf8'));
  expect(JSON.parse(text)).toMatchObject({ part, exit: { code: null, signal: 'SIGKILL' } });
  expect((await stat(notice.report)).mode & 0o777).toBe(0o600);
  for (const secret of [OWN_KEY, INPUT_MARK]) expect(text).not.toContain(secret);
  let places: Place[] = [];
  for await (const counted of await client.data.places()) ({ places } = counted);
  expect(places).toContainEqual(
    expect.objectContaining({ kind: 'crash-reports', path: join(dataDir, 'crash-reports'), files: 1 }),
  );
  await client.host.crashes.dismiss({ part });
  for await (const notices of await client.host.crashes.watch()) if (notices.length === 0) break;
  expect(await readdir(join(dataDir, 'crash-reports'))).toHaveLength(1);
  return notice;
}

describe('a running Hangar', needsPosix, () => {
  it('starts a killed engine again, whose job runs again to its end, and reports the crash', async () => {
    await using dataDir = await newDataDir();
    await using host = startHost(['--data-dir', dataDir.path, ...ANY_PORTS], { HANGAR_API_KEY: OWN_KEY });
    await using page = await startPage(host);
    const { client } = page;
    const job = await startJob(client, dataDir.path);
    const log = await readFile(join(dataDir.path, 'logs/app.log'), 'utf8');
    const enginePid = Number(/"enginePid":(\d+)/.exec(log)?.[1]);
    process.kill(enginePid, 'SIGKILL');
    const { cause } = await checkReport(client, 'engine', dataDir.path);
    expect(cause).toBe('The engine ended unexpectedly (signal SIGKILL).');
    expect(await job.end()).toEqual({ status: 'COMPLETED', output: '{"answer":42}' });
    expect(await job.runs()).toBe(2);
  });
});

const none = reasonForNoKeyring();
describe('a Hangar with a keychain', skipFor(none), () => {
  it('starts a killed keychain process again for the call that waits; jobs do not notice', async () => {
    await using keyring = await startKeyring();
    await using dataDir = await newDataDir();
    await using host = startHost(['--data-dir', dataDir.path, ...ANY_PORTS], {
      ...keyring.env,
      HANGAR_KEYS: 'keychain',
      HANGAR_API_KEY: OWN_KEY,
    });
    await using page = await startPage(host);
    const { client } = page;
    const job = await startJob(client, dataDir.path);
    keyring.hang();
    const checked = client.secrets.check();
    // Its process ends when it is idle for long, as it is on a slow machine. With this answer, it has the call.
    await client.secrets.state();
    const pid = await until('the keychain process', () => keychainProcess(host.child.pid ?? 0));
    process.kill(pid, 'SIGKILL');
    keyring.goOn();
    expect(await checked).toMatchObject({ kind: 'keychain', problem: null, keychainProblem: null });
    const { cause } = await checkReport(client, 'keychain', dataDir.path);
    expect(cause).toBe('The process that reads the keychain ended unexpectedly (signal SIGKILL).');
    expect(await job.end()).toEqual({ status: 'COMPLETED', output: '{"answer":42}' });
    expect(await job.runs()).toBe(1);
  });
});

/** The id of the process of a host that reads the keychain; null if none runs. */
async function keychainProcess(hostPid: number): Promise<number | null> {
  const children = await readFile(`/proc/${hostPid}/task/${hostPid}/children`, 'utf8');
  for (const pid of children.trim().split(' ').filter(Boolean)) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (command.includes('keychain')) return Number(pid);
  }
  return null;
}
