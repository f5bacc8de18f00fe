/** The fake of the remote service held against the description of REST v2. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createHttp, type Answer, type Http } from '../../support/http/client.ts';
import { startRemote, type Remote } from '../../support/remote/remote.ts';
import { readV2Description, whyNoV2Description, type V2Description } from '../../support/openapi/restV2.ts';
import { skipFor } from '../../support/core/skip.ts';

const none = whyNoV2Description;

/** What only clusters and other clouds have: the fake has none of it, and Hangar asks for none of it. */
const LEFT_OUT = /clusters|delegations|\/logs$/;

describe('the description of REST v2', skipFor(none), () => {
  let description: V2Description;
  let remote: Remote;
  let http: Http;
  const faults: string[] = [];
  const operations = new Set<string>();
  const ids: Record<string, string> = {};

  beforeAll(async () => {
    description = await readV2Description();
    remote = await startRemote();
    http = createHttp(remote.v2.management, remote.key);
  });
  afterAll(async () => {
    http.stop();
    await remote.stop();
    await description.stop();
  });

  async function ask(method: string, path: string, body?: object, { id = '', query = '' } = {}): Promise<Answer> {
    const at = path.replace('{id}', encodeURIComponent(id));
    const answer = await http.send(method, `${at}${query}`, body);
    const fault = description.fault(method, path, answer);
    if (fault !== null) faults.push(fault);
    if (answer.status < 300) operations.add(`${method} ${path}`);
    return answer;
  }
  const idOf = ({ json }: Answer): string => (json as { id: string }).id;

  test('allows every answer of the fake', async () => {
    const image = 'example/worker:1';
    ids['template'] = idOf(await ask('POST', '/v2/templates', { name: 't', image, serverless: true }));
    ids['volume'] = idOf(await ask('POST', '/v2/network-volumes', { name: 'v', size: 20, dataCenter: 'US-KS-2' }));
    ids['registry'] = idOf(await ask('POST', '/v2/registries', { name: 'r', username: 'u', password: 'p' }));
    const scaling = { type: 'QUEUE_DELAY', queueDelay: 4 };
    const gpu = { pools: ['ADA_24'], excludedTypes: ['NVIDIA L4'] };
    const volumes = { networkVolumes: [ids['volume']] };
    const queue = { name: 'e', type: 'QUEUE', scaling, gpu, templateId: ids['template'], ...volumes };
    ids['endpoint'] = idOf(await ask('POST', '/v2/serverless', queue));
    const counted = { scaling: { type: 'REQUEST_COUNT', requestCount: 2 }, cpu: [{ id: 'cpu3c', vcpuCount: 4 }] };
    await ask('POST', '/v2/serverless', { name: 'lb', type: 'LOAD_BALANCER', image, ...counted });
    const mounts = { persistent: { size: 30, path: '/data' } };
    const podGpu = { id: 'NVIDIA GeForce RTX 4090' };
    ids['pod'] = idOf(await ask('POST', '/v2/pods', { name: 'p', image, gpu: podGpu, mounts, ports: ['8888/http'] }));
    await ask('POST', '/v2/pods', { name: 'c', image, cpu: { id: 'cpu3c', vcpuCount: 2 }, startSsh: true });
    const at = remote.now() - 3_600_000;
    const spent = { gpuTypeId: podGpu.id, at, amount: 0.5, timeMs: 1000, gb: 20 };
    remote.account.charges.push({ kind: 'pod', id: ids['pod'], ...spent });
    remote.account.charges.push({ kind: 'endpoint', id: ids['endpoint'], ...spent });
    remote.account.charges.push({ kind: 'volume', id: ids['volume'], ...spent });

    const places: [string, string, object][] = [
      ['/v2/templates', ids['template'], { env: { A: '1' } }],
      ['/v2/network-volumes', ids['volume'], { size: 40 }],
      ['/v2/registries', ids['registry'], {}],
      ['/v2/serverless', ids['endpoint'], { workers: { max: 5 } }],
      ['/v2/pods', ids['pod'], { name: 'q', locked: false }],
    ];
    for (const [place, id, change] of places) {
      await ask('GET', place);
      await ask('GET', `${place}/{id}`, undefined, { id });
      if (place !== '/v2/registries') await ask('PATCH', `${place}/{id}`, change, { id });
    }
    await ask('GET', '/v2/serverless/{id}/workers', undefined, { id: ids['endpoint'] });
    await ask('GET', '/v2/serverless/{id}/releases', undefined, { id: ids['endpoint'] });
    for (const action of ['restart', 'stop', 'start'])
      await ask('POST', '/v2/pods/{id}/action', { action }, { id: ids['pod'] });
    const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIG me@example';
    await ask('PUT', '/v2/account/ssh-keys', { keys: [key] });
    await ask('GET', '/v2/account/ssh-keys');
    for (const what of ['gpus', 'cpus', 'datacenters', 'templates']) await ask('GET', `/v2/catalog/${what}`);
    await ask('GET', '/v2/catalog/gpus', undefined, { query: '?include=AVAILABILITY&product=POD' });
    await ask('GET', '/v2/catalog/gpus/{id}', undefined, { id: podGpu.id });
    await ask('GET', '/v2/catalog/cpus/{id}', undefined, { id: 'cpu3c' });
    await ask('GET', '/v2/catalog/datacenters/{id}', undefined, { id: 'EU-RO-1' });
    for (const what of ['', '/pods', '/serverless', '/endpoints', '/network-volumes', '/clusters']) {
      if (what !== '/clusters') await ask('GET', `/v2/billing${what}`);
    }
    for (const [place, id] of places.toReversed()) await ask('DELETE', `${place}/{id}`, undefined, { id });

    expect(faults).toEqual([]);
    expect(description.operations.filter((one) => !operations.has(one) && !LEFT_OUT.test(one))).toEqual([]);
  });

  test('allows every refusal of the fake, and each tells what remains of the rates', async () => {
    const pod = remote.addPod({ name: 'stopped', status: 'EXITED' });
    const wrong: [string, string, number, object | undefined, string][] = [
      ['GET', '/v2/pods/{id}', 404, undefined, 'nobody'],
      ['POST', '/v2/pods', 422, { name: 'x', imageName: 'y' }, ''],
      ['POST', '/v2/pods/{id}/action', 409, { action: 'stop' }, pod.id],
      ['PATCH', '/v2/registries/{id}', 405, {}, 'x'],
      ['GET', '/v2/billing', 400, undefined, ''],
    ];
    for (const [method, path, status, body, id] of wrong) {
      const query = path === '/v2/billing' ? '?bucketSize=second' : '';
      const answer = await http.send(method, `${path.replace('{id}', id)}${query}`, body);
      expect(answer.status).toBe(status);
      expect(answer.headers['content-type']).toBe('application/problem+json');
      expect(answer.headers['ratelimit']).toMatch(/^"minute";r=\d+;t=\d+, "hour";r=\d+;t=\d+, "day";r=\d+;t=\d+$/);
      // A method that is not there is described nowhere else.
      if (status !== 405) expect(description.fault(method, path, answer)).toBeNull();
    }
    const refusal = await http.post('/v2/pods', { name: 'x', imageName: 'y', image: 'z', gpu: { id: 'NVIDIA L4' } });
    expect(refusal.json).toMatchObject({ status: 422, errors: ['unexpected property: imageName'] });
  });
});
