/** Rules of making, changing and removing an endpoint together with its template. */
import { describe, expect, it } from 'vitest';
import { AppError } from '#contract/core/errors.ts';
import type { Endpoint, Template } from '#contract/api/resources.ts';
import { createEndpoint, removeEndpoint, updateEndpoint } from './endpointChanges.ts';

const refused = new AppError('BAD_REQUEST', 'no');

/** A service that notes what it is asked, and refuses requests that begin with one of these texts. */
function service(...refuses: readonly string[]) {
  const requests: string[] = [];
  const answer = <T>(what: string, result: T): Promise<T> => {
    requests.push(what);
    return refuses.some((start) => what.startsWith(start)) ? Promise.reject(refused) : Promise.resolve(result);
  };
  const template = { id: 't', name: 'n' } as Template;
  const endpoint = { id: 'e', templateId: 't', workersMax: 3 } as Endpoint;
  const management = {
    createTemplate: () => answer('make template', template),
    deploy: null,
    createEndpoint: () => answer('make endpoint', endpoint),
    deleteTemplate: (id: string) => answer(`delete template ${id}`, undefined),
    deleteEndpoint: (id: string) => answer(`delete endpoint ${id}`, undefined),
    endpoint: () => Promise.resolve(endpoint),
    updateEndpoint: (_: string, change: object) => answer(`endpoint ${JSON.stringify(change)}`, endpoint),
    updateTemplate: (_: string, change: object) => answer(`template ${JSON.stringify(change)}`, template),
  };
  return { requests, management };
}

const made = { template: { name: 'n', imageName: 'i' }, endpoint: {} };
const change = { template: { env: { A: '1' } }, endpoint: { workersMax: 5 } };

describe('a new endpoint', () => {
  it('is made of a template that is made first', async () => {
    const { requests, management } = service();
    expect(await createEndpoint(management, made)).toEqual({ endpointId: 'e' });
    expect(requests).toEqual(['make template', 'make endpoint']);
  });

  it('holds its template itself where the account has it so: one request, and nothing to take back', async () => {
    const { requests, management } = service();
    const deploy = ({ name }: { name: string }) => {
      requests.push(`deploy ${name}`);
      return management.createEndpoint();
    };
    expect(await createEndpoint({ ...management, deploy }, made)).toEqual({ endpointId: 'e' });
    expect(requests).toEqual(['deploy n', 'make endpoint']);
  });

  it('that is refused leaves no template, and tells the reason', async () => {
    const { requests, management } = service('make endpoint');
    await expect(createEndpoint(management, made)).rejects.toBe(refused);
    expect(requests).toEqual(['make template', 'make endpoint', 'delete template t']);
  });

  it('says which template remains where that cannot be removed', async () => {
    const { management } = service('make endpoint', 'delete template');
    await expect(createEndpoint(management, made)).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: 'no Its new template "n" remains. Undoing that failed: no',
      details: { changed: true },
    });
  });
});

describe('a changed endpoint', () => {
  it('is changed, then its template', async () => {
    const { requests, management } = service();
    await updateEndpoint(management, 'e', change);
    expect(requests).toEqual(['endpoint {"workersMax":5}', 'template {"env":{"A":"1"}}']);
  });

  it('is asked for nothing that has not changed', async () => {
    const { requests, management } = service();
    await updateEndpoint(management, 'e', { ...change, endpoint: {} });
    await updateEndpoint(management, 'e', { ...change, template: {} });
    expect(requests).toEqual(['template {"env":{"A":"1"}}', 'endpoint {"workersMax":5}']);
  });

  it('is set back when its template is refused', async () => {
    const { requests, management } = service('template');
    await expect(updateEndpoint(management, 'e', change)).rejects.toBe(refused);
    expect(requests.at(-1)).toBe('endpoint {"workersMax":3}');
  });

  it('says that it remains changed where it cannot be set back', async () => {
    const { management } = service('template', 'endpoint {"workersMax":3}');
    await expect(updateEndpoint(management, 'e', change)).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message:
        'no The new settings of the endpoint itself are saved, those of its template are not. Undoing that failed: no',
      details: { changed: true },
    });
  });
});

describe('a removed endpoint', () => {
  it('takes its template along only when asked to', async () => {
    const { requests, management } = service();
    await removeEndpoint(management, 'e', false);
    expect(requests).toEqual(['delete endpoint e']);
    await removeEndpoint(management, 'e', true);
    expect(requests.slice(1)).toEqual(['delete endpoint e', 'delete template t']);
  });

  it('says why its template is still there', async () => {
    const { management } = service('delete template');
    expect(await removeEndpoint(management, 'e', true)).toEqual({ templateKept: 'no' });
  });
});
