/** A stock Docker, with its own bridge and its own rules, on a machine that is in no network. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startContainerEngine, whyNoOwnNetwork, type TestContainerEngine } from '../../support/containers/engine.ts';
import { makeShellImage } from '../../support/containers/images.ts';
import { makeNetwork, type OwnNetwork } from '../../support/containers/network.ts';
import { until } from '../../support/core/until.ts';
import { startEngine, type TestEngine } from '../../support/engine/engine.ts';
import { createHttp, type Answer } from '../../support/http/client.ts';
import { jobsOf } from '../../support/jobs/jobs.ts';
import { healthAt } from '../../support/loadBalancing/endpoint.ts';
import { accepted } from '../../support/resources/resources.ts';
import { engineAddressOf, makeContainerEndpoint, makeVolume, SHELL_IMAGE, shellTemplate } from './containerWorkers.ts';
import { skipFor } from '../../support/core/skip.ts';

const none = whyNoOwnNetwork();

const NEXT_IMAGE = 'hangar-shell:2';
/**
 * Answers with the version of the image and of the template, and waits first for the volume's file `go` where its job
 * says so.
 */
const ANSWER = `
grep -q wait /tmp/job && until [ -e /runpod-volume/go ]; do sleep 0.05; done
echo "\\"$(version) \${VERSION:-old}\\""`;

/** Serves the version, and at /cgi-bin/slow does so once the volume has the file `go`. */
const SERVER = `
mkdir -p /www/cgi-bin
echo well > /www/ping
echo "$(version) \${VERSION:-old}" > /www/version
printf '#!/bin/sh\\nuntil [ -e /runpod-volume/go ]; do sleep 0.05; done\\nprintf "\\r\\n"\\ncat /www/version\\n' > /www/cgi-bin/slow
busybox chmod 755 /www/cgi-bin/slow
trap 'exit 0' TERM
httpd -f -p 8000 -h /www &
wait`;

/** What may change of a template, and what workers answer before and after. */
const CHANGES: [what: string, change: object, before: string, after: string][] = [
  ['image', { imageName: NEXT_IMAGE }, '1 old', '2 old'],
  ['set of variables', { env: { VERSION: 'new' } }, '1 old', '1 new'],
];

describe('containers: a stock Docker offline', skipFor(none), () => {
  let network: OwnNetwork;
  let containers: TestContainerEngine;
  let started: TestEngine;
  let engine: TestEngine;
  beforeAll(async () => {
    network = await makeNetwork();
    containers = await startContainerEngine({ network });
    const version = (n: number) => ({ version: `#!/bin/sh\necho ${n}` });
    await makeShellImage(containers.docker, SHELL_IMAGE, '', version(1));
    await makeShellImage(containers.docker, NEXT_IMAGE, '', version(2));
    started = await startEngine({ env: { DOCKER_HOST: containers.host }, under: network.under });
    const relay = await network.relayTo(started.port);
    engine = { ...started, http: createHttp(relay.address, started.key) };
  });
  afterAll(async () => {
    engine.http.stop();
    await started.close();
    await containers.closeEmpty();
    await network[Symbol.asyncDispose]();
  });

  const containersOf = async (endpointId: string) =>
    (await containers.ours()).filter(({ Labels }) => Labels['hangar.endpoint'] === endpointId);
  const change = async (templateId: string, fields: object) =>
    accepted(await engine.http.send('PATCH', `/v1/templates/${templateId}`, fields));

  test('a worker reaches the engine at the gateway of the bridge of Docker', async () => {
    const { seen, wanted } = await engineAddressOf(engine, containers);
    expect(seen).toContain(wanted);
  });

  test.each(CHANGES)(
    'jobs survive a new %s of the template: old workers end theirs, new ones do the rest',
    async (_what, fields, before, after) => {
      const volume = await makeVolume(engine);
      const template = shellTemplate(ANSWER);
      const {
        template: { id: templateId },
        endpoint: { id: endpointId },
      } = await makeContainerEndpoint(engine, template, {
        networkVolumeId: volume.id,
        workersMin: 2,
        workersMax: 3,
        idleTimeout: 600,
      });
      const jobs = jobsOf(engine, endpointId);
      const atWork = await Promise.all([jobs.run({ task: 'wait' }), jobs.run({ task: 'wait' })]);
      const oldWorkers = await Promise.all(atWork.map(async (id) => (await jobs.reached(id, 'IN_PROGRESS')).workerId));
      await change(templateId, fields);

      const waiting = await Promise.all(Array.from({ length: 6 }, () => jobs.run({})));
      for (const id of waiting) expect(await jobs.finished(id)).toMatchObject({ status: 'COMPLETED', output: after });
      for (const id of atWork) expect(await jobs.status(id)).toMatchObject({ status: 'IN_PROGRESS' });
      await writeFile(join(volume.folder, 'go'), '');
      for (const [index, id] of atWork.entries()) {
        const view = await jobs.finished(id);
        expect(view).toMatchObject({ status: 'COMPLETED', output: before, workerId: oldWorkers[index] });
        expect(view.retries ?? 0).toBe(0);
      }
      await until('the old workers to be gone', async () =>
        (await containersOf(endpointId)).every(({ Labels }) => !oldWorkers.includes(Labels['hangar.worker'])),
      );
      expect((await jobs.health()).jobs).toMatchObject({
        completed: 8,
        failed: 0,
        retried: 0,
        inQueue: 0,
        inProgress: 0,
      });
      expect((await engine.http.send('DELETE', `/v1/endpoints/${endpointId}`)).status).toBe(204);
    },
  );

  test('requests of load balancing survive changes of the template: none is refused, and the old worker answers those that it has', async () => {
    const volume = await makeVolume(engine);
    const template = { imageName: SHELL_IMAGE, env: { PORT: '8000' }, dockerStartCmd: ['/bin/sh', '-c', SERVER] };
    const made = await makeContainerEndpoint(engine, template, {
      networkVolumeId: volume.id,
      type: 'LB',
      workersMin: 1,
      workersMax: 2,
    });
    const endpointId = made.endpoint.id;
    const ask = (path: string): Promise<Answer> => engine.http.get(`/lb/${endpointId}/${path}`);
    const answers: string[] = [];
    let asking = true;
    const askOn = async (): Promise<void> => {
      while (asking) {
        const { status, text } = await ask('version');
        answers.push(`${status} ${text.trim()}`);
      }
    };
    const answered = (line: string) =>
      until(
        `'${line}' and nothing older`,
        () => answers.slice(-20),
        (last) => last.length === 20 && last.every((one) => one === line),
      );

    await until('a worker to be ready', async () => (await healthAt(engine, endpointId)).workers.ready, 1);
    const slow = ask('cgi-bin/slow');
    const askers = [askOn(), askOn(), askOn()];
    try {
      await answered('200 1 old');
      await change(made.template.id, { imageName: NEXT_IMAGE });
      await answered('200 2 old');
      await writeFile(join(volume.folder, 'go'), '');
      expect(await slow).toMatchObject({ status: 200, text: '1 old\n' });
      await until('the old worker to be gone', async () => (await containersOf(endpointId)).length, 1);
      // Now the old worker has no request that lasts.
      await change(made.template.id, { env: { PORT: '8000', VERSION: 'new' } });
      await answered('200 2 new');
      await until('the old worker to be gone', async () => (await containersOf(endpointId)).length, 1);
    } finally {
      asking = false;
      await Promise.all(askers);
    }
    expect([...new Set(answers)]).toEqual(['200 1 old', '200 2 old', '200 2 new']);
    expect((await engine.http.send('DELETE', `/v1/endpoints/${endpointId}`)).status).toBe(204);
  });
});
