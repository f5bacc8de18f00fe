/** Pods as containers: what is kept and what is wiped, ports, load, ends of every kind, pulls, and a container engine that goes. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startContainerEngine, whyNoContainers, type TestContainerEngine } from '../../support/containerEngine.ts';
import { makeShellImage } from '../../support/containerImages.ts';
import { until } from '../../support/until.ts';
import { answerAt, createPodMachine, GRACE_MS, POD_IMAGE, shell, STAYS } from './podMachine.ts';

const none = whyNoContainers();
/** The whole life of a container takes a while on a busy machine. */
const PATIENCE = { withinMs: 20_000, everyMs: 50 };

if (none !== null) test('containers: Pods', ({ skip }) => skip(none));
describe.skipIf(none !== null)('containers: Pods', () => {
  let containers: TestContainerEngine;
  beforeAll(async () => {
    containers = await startContainerEngine();
    await makeShellImage(containers.docker, POD_IMAGE);
  });
  afterAll(async () => {
    const left = await containers.docker.listContainers({ all: true });
    await containers[Symbol.asyncDispose]();
    expect(left, 'containers left after the tests').toEqual([]);
  });

  test('a Pod that is stopped and started keeps what it wrote; made anew it keeps its volume only', async () => {
    await using machine = createPodMachine(containers.host);
    const { driver } = machine;
    const counting = 'echo x >> /root-disk; cat /root-disk | tr -d "\\n" > /workspace/disk; echo y >> /workspace/kept';
    const plan = machine.plan('kept', { dockerStartCmd: shell(`${counting}; ${STAYS}`) });
    const wrote = (text: string) =>
      until(`it to have written ${text}`, () => {
        try {
          return machine.written('kept', 'disk') === text;
        } catch {
          return false;
        }
      });
    const first = await machine.start(plan);
    expect(first).toMatchObject({ podId: 'kept', running: true, exitCode: null, outOfMemory: false });
    expect(Math.abs(Date.now() - first.startedAt!)).toBeLessThan(60_000);
    await wrote('x');
    await driver.stop('kept', GRACE_MS);
    expect(await machine.find('kept')).toMatchObject({ running: false, exitCode: 0, startedAt: first.startedAt });
    expect((await machine.start(plan)).running).toBe(true);
    await wrote('xx');
    await driver.restart('kept', GRACE_MS);
    await wrote('xxx');
    await driver.remove('kept');
    expect(await machine.find('kept')).toBeUndefined();
    await machine.start(plan);
    await wrote('x');
    expect(machine.written('kept', 'kept')).toBe('y\ny\ny\ny');
    // Another plan is another container.
    await driver.stop('kept', GRACE_MS);
    await machine.start({ ...plan, env: { ...plan.env, NEW: 'yes' } });
    await wrote('x');
  });

  test('http and tcp ports answer from outside at ports of 127.0.0.1, of which it is told, also after a stop', async () => {
    await using machine = createPodMachine(containers.host);
    const serve =
      'env > /workspace/env; mkdir -p /www; echo hello > /www/index.html; httpd -p 8888 -h /www; httpd -p 22 -h /www';
    const plan = machine.plan('ports', {
      ports: ['8888/http', '22/tcp'],
      dockerStartCmd: shell(`${serve}; ${STAYS}`),
    });
    for (const _start of ['first', 'second']) {
      const { ports } = await machine.start(plan);
      expect([...ports.keys()].sort()).toEqual([22, 8888]);
      for (const at of ports.values()) {
        expect(at.host).toBe('127.0.0.1');
        await until('its port to answer', async () => (await answerAt(at)) === 'hello\n', PATIENCE);
      }
      expect(machine.written('ports', 'env')).toContain(`RUNPOD_TCP_PORT_22=${ports.get(22)!.port}`);
      await machine.driver.stop('ports', GRACE_MS);
      expect((await machine.find('ports'))!.ports.size).toBe(0);
    }
  });

  test("the container of a Pod is found by its id while it runs, and nobody else's", async () => {
    await using machine = createPodMachine(containers.host);
    await using other = createPodMachine(containers.host);
    expect(await machine.running.ofPod('found')).toBeNull();
    await machine.start(machine.plan('found'));
    const { Id } = (await containers.docker.listContainers())[0]!;
    expect((await machine.running.ofPod('found'))!.id).toBe(Id);
    expect(await machine.running.ofWorker('pod-found')).toBeNull();
    expect(await machine.running.ofPod('../../version?')).toBeNull();
    await other.start(other.plan('mine'));
    expect(await other.running.ofPod('found')).toBeNull();
    await machine.driver.stop('found', GRACE_MS);
    expect(await machine.running.ofPod('found')).toBeNull();
  });
});
