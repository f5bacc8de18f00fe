// Pages that keep still while they load: nothing moves away from under the pointer, and nothing says that it is empty
// before its data is there.
import { startEngineApi } from '../support/containers/answeringEngine.ts';
import { call, chatty, makeEndpoint } from './support/handlers.ts';
import { expect, startHost, test, type Host } from './support/host.ts';
import { leaveFor, movedUntilComplete, openAnew, orderAnswers, watchMoves, type Moved } from './support/stillness.ts';

/** The most that a page may move, as browsers score it. They call 0.1 good; 0.02 is seen by hardly anybody. */
const MOST = 0.02;
const FAILS = "export default () => { throw new Error('out of paper'); };";

/** Makes jobs that ended, failed and wait, a worker, and a Pod that does not start. Answers the pages to look at. */
async function fill(host: Host): Promise<string[]> {
  // Its worker stays, so that there is one.
  const talks = await makeEndpoint(host, 'talks', chatty, { idleTimeout: 600 });
  const fails = await makeEndpoint(host, 'fails', FAILS);
  const waits = await makeEndpoint(host, 'waits', chatty, { workersMax: 0 });
  for (const steps of [1, 2, 3]) {
    await call(host, 'POST', `/v2/${talks}/runsync`, { input: { steps } });
    await call(host, 'POST', `/v2/${waits}/run`, { input: { steps } });
  }
  await call(host, 'POST', `/v2/${fails}/runsync`, { input: {} });
  await call(host, 'POST', '/v1/networkvolumes', { name: 'models', size: 1, dataCenterId: 'LOCAL-1' });
  await call(host, 'POST', '/v1/containerregistryauth', { name: 'mine', username: 'me', password: 'secret' });
  for (const name of ['laptop', 'phone']) await call(host, 'POST', '/local/v1/api-keys', { name, scope: 'read' });
  const box = { name: 'box', imageName: 'ubuntu:24.04', computeType: 'CPU' };
  const pod = await call<{ id: string }>(host, 'POST', '/v1/pods', box);
  return [
    'home',
    `run/${talks}`,
    'run/~compare',
    'jobs',
    'endpoints',
    ...['', '/metrics', '/workers', '/logs', '/settings'].map((tab) => `endpoints/${talks}${tab}`),
    'pods',
    ...['', '/overview', '/metrics', '/settings'].map((tab) => `pods/${pod.id}${tab}`),
    'terminals',
    'machine',
    'gpus',
    ...['', '/volumes', '/images', '/registries', '/computer'].map((tab) => `resources${tab}`),
    'billing',
    'accounts/this-machine',
    ...['', '/storage', '/keys', '/limits', '/ssh', '/bucket'].map((tab) => `settings${tab}`),
  ].map((name) => `#/${name}`);
}

test('no page moves while it loads, or says that it is empty before it is', async ({ page, shell }) => {
  await using containers = await startEngineApi(
    { '/version': { Version: '29.1.2' }, '/info': { OSType: 'linux' }, '/_ping': {} },
    process.platform === 'win32' ? 'port' : 'socket',
  );
  const host = await startHost({ dockerHost: containers.host });
  await using _host = { [Symbol.asyncDispose]: host.stop };
  const hashes = await fill(host);
  await page.goto(host.link);
  await shell.ready();
  await watchMoves(page);

  const faults: string[] = [];
  const check = (where: string, { sum, parts, flashes }: Moved) => {
    if (sum > MOST) faults.push(`${where} moved by ${sum.toFixed(3)}\n${parts.join('\n')}`);
    for (const text of flashes) faults.push(`${where} said before its data was there: ${text}`);
  };
  for (const width of [1280, 420]) {
    await page.setViewportSize({ width, height: 800 });
    // The order in which answers come is chance.
    await orderAnswers(page, width === 420 ? 'newest first' : 'as they come');
    for (const hash of hashes) {
      await openAnew(page, hash);
      check(`${hash}, opened at ${width} px,`, await movedUntilComplete(page));
    }
  }
  await openAnew(page, '#/run');
  await movedUntilComplete(page);
  for (const hash of hashes) {
    await leaveFor(page, hash);
    check(`${hash}, come to,`, await movedUntilComplete(page));
  }
  // A window as tall as the longest page shows what is further down, too.
  await page.setViewportSize({ width: 1360, height: 1600 });
  for (const hash of hashes.filter((one) => /^#\/(home|machine|settings$)/.test(one))) {
    await openAnew(page, hash);
    check(`${hash}, opened in a tall window,`, await movedUntilComplete(page));
  }
  expect(faults.join('\n')).toBe('');
});
