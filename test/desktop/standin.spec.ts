// What the other desktop specs rely on when the stand-in runs them: that it behaves as Electron does, and says where it
// cannot.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, isStandin, root, test, type Desktop, type Records } from './support/desktop.ts';

test.skip(!isStandin, 'rules of the stand-in, of no meaning on real Electron');
test.use({ appRoot: join(root, 'test/desktop/standin/fixture'), appArgs: [] });

interface Seen {
  readyBeforeEntryEnded: boolean;
  messages: boolean[];
  closedPorts: number;
  crashes: number;
  sender: string;
  origin: string;
}
type FixtureGlobal = typeof globalThis & { state: Seen };
interface Fixture {
  kind: string;
  nested: object;
  pathOf: (file: unknown) => string;
  ask: (channel: string, value: unknown) => Promise<unknown>;
}
type FixtureWindow = Window & { answers?: unknown[]; fixture?: Fixture; secretOfThePreload?: boolean };

/** What the steps of the test share. */
interface Parts {
  desktop: Desktop;
  home: string;
  records: Records;
}

const answered = (): boolean => (window as FixtureWindow).answers?.length === 2;

async function emitReadyLate({ desktop }: Parts): Promise<void> {
  expect(await desktop.app.evaluate(() => (globalThis as FixtureGlobal).state.readyBeforeEntryEnded)).toBe(false);
}

async function exposePreload({ desktop }: Parts): Promise<void> {
  await desktop.page.waitForFunction(answered);
  const pageState = await desktop.page.evaluate(() => {
    const { fixture, secretOfThePreload } = window as FixtureWindow;
    const frozen = Object.isFrozen(fixture) && Object.isFrozen(fixture?.nested);
    const { kind, nested } = fixture ?? {};
    return {
      fixture: { kind, nested },
      frozen,
      secret: typeof secretOfThePreload,
      require: typeof Reflect.get(window, 'require'),
    };
  });
  const fixture = { kind: 'fixture', nested: { list: [1, 2] } };
  expect(pageState).toEqual({ fixture, frozen: true, secret: 'undefined', require: 'undefined' });
}

async function carryClones({ desktop }: Parts): Promise<void> {
  await desktop.page.waitForFunction(answered);
  expect(await desktop.page.evaluate(() => (window as FixtureWindow).answers)).toEqual(['one', 'two']);
  const state = await desktop.app.evaluate(() => (globalThis as FixtureGlobal).state);
  expect(state).toMatchObject({ messages: [true], sender: 'fixture://page/', origin: 'fixture://page' });
}

async function closePorts({ desktop, records }: Parts): Promise<void> {
  await desktop.page.waitForFunction(answered);
  await desktop.page.reload();
  await desktop.page.waitForFunction(answered);
  const state = (): Promise<Seen> => desktop.app.evaluate(() => (globalThis as FixtureGlobal).state);
  await expect.poll(async () => (await state()).closedPorts).toBe(1);
  await desktop.app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.webContents.forcefullyCrashRenderer(),
  );
  await expect.poll(async () => (await state()).crashes).toBe(1);
  await expect.poll(async () => (await state()).closedPorts).toBe(2);
  await records.expect('render-process-gone', /crashed/);
}

async function tellPaths({ desktop, home }: Parts): Promise<void> {
  const path = join(home, 'ünïque "name".bin');
  writeFileSync(path, 'x');
  await desktop.page.waitForFunction(answered);
  await desktop.page.evaluate(() => {
    const input = Object.assign(document.createElement('input'), { type: 'file' });
    document.body.append(input);
  });
  await desktop.page.locator('input').setInputFiles(path);
  const paths = await desktop.page.evaluate(() => {
    const { pathOf } = (window as FixtureWindow).fixture!;
    const answerOf = (file: unknown): string => {
      try {
        return pathOf(file);
      } catch (error) {
        return error instanceof Error ? error.message : 'something else';
      }
    };
    const [chosen] = document.querySelector('input')?.files ?? [];
    const made = new File(['x'], '/etc/passwd');
    const others = [{ name: 'x', path: '/etc/passwd' }, Object.create(File.prototype) as unknown, '/etc/passwd', null];
    return { chosen: answerOf(chosen), again: answerOf(chosen), made: answerOf(made), others: others.map(answerOf) };
  });
  const refused = 'getPathForFile expected to receive a File object but one was not provided';
  expect(paths).toEqual({ chosen: path, again: path, made: '', others: Array(4).fill(refused) });
}

async function askHandlers({ desktop }: Parts): Promise<void> {
  await desktop.page.waitForFunction(answered);
  const answers = await desktop.page.evaluate(async () => {
    const { ask } = (window as FixtureWindow).fixture!;
    const answerOf = (channel: string, value: unknown) =>
      ask(channel, value).catch((error: unknown) => (error instanceof Error ? error.message : 'something else'));
    return Promise.all([answerOf('double', 21), answerOf('double', 'x'), answerOf('nobody', 1)]);
  });
  expect(answers).toEqual([
    42,
    "Error invoking remote method 'double': TypeError: fixture://page/ sent no number",
    "Error invoking remote method 'nobody': Error: No handler registered for 'nobody'",
  ]);
}

async function throwByName({ desktop }: Parts): Promise<void> {
  const messages = await desktop.app.evaluate(({ app, BrowserWindow, TouchBar }) => {
    const window = BrowserWindow.getAllWindows()[0];
    const attempts = [
      () => new TouchBar({ items: [] }),
      () => app.getGPUInfo('basic'),
      () => window?.setOpacity(0.5),
      () => window?.on('swipe', () => undefined),
      () => new BrowserWindow({ webPreferences: { sandbox: false } }),
      () => new BrowserWindow({ webPreferences: { nodeIntegration: true } }),
    ];
    return attempts.map((attempt) => {
      try {
        void attempt();
        return 'nothing was thrown';
      } catch (error) {
        return error instanceof Error ? error.message : String(error);
      }
    });
  });
  const not = 'is not represented by the stand-in for Electron';
  expect(messages).toEqual([
    `TouchBar.constructor ${not}`,
    `App.getGPUInfo ${not}`,
    `BrowserWindow.setOpacity ${not}`,
    `BrowserWindow.on('swipe') ${not}`,
    'the stand-in cannot represent webPreferences: sandbox',
    'the stand-in cannot represent webPreferences: nodeIntegration',
  ]);
}

async function recordRejection({ desktop, records }: Parts): Promise<void> {
  await desktop.app.evaluate(() => void Promise.reject(new Error('planted')));
  await records.expect('rejection', /planted/);
  expect(await desktop.app.evaluate(({ app }) => app.getVersion())).toBe('1.2.3');
}

test('the stand-in behaves as Electron does, and says where it cannot', async ({ desktop, home, records }) => {
  const parts = { desktop, home, records };
  await test.step('ready is emitted only after the entry was evaluated', () => emitReadyLate(parts));
  await test.step('what the preload exposes is there before the page runs, frozen, and nothing else of it is', () =>
    exposePreload(parts));
  await test.step('a port carries structured clones both ways, in order', () => carryClones(parts));
  await test.step('webUtils tells the path of a File of an input, none of a File that a script made, and throws for anything else', () =>
    tellPaths(parts));
  await test.step('a preload asks a handler of the main process, and gets its answer or its error', () =>
    askHandlers(parts));
  await test.step('what is not represented throws by name', () => throwByName(parts));
  await test.step('an unhandled rejection of the main process is recorded and does not end it', () =>
    recordRejection(parts));
  await test.step('the ports of a page close when it is reloaded and when it dies', () => closePorts(parts));
});

test.describe('an entry that waits for ready itself', () => {
  test.use({ appArgs: ['--await-ready'] });

  test('hangs, as it does in Electron', async ({ launch }) => {
    const app = await launch();
    await expect.poll(() => app.evaluate(() => 'state' in globalThis)).toBe(true);
    expect(await app.evaluate((electron) => electron.app.isReady())).toBe(false);
  });
});
