/** Rules of making, changing and removing an endpoint together with its template. */
import { describe, expect, it } from 'vitest';
import { AppError } from '#contract/core/errors.ts';
import type { Endpoint, Template } from '#contract/api/resources.ts';
import { createEndpoint, removeEndpoint, updateEndpoint } from './endpointChanges.ts';

const refused = new AppError('BAD_REQUEST', 'no');

/** A service that notes what it is asked, and refuses one kind of request. */
function service(refuses: string | null) {
  const asked: string[] = [];
  const answer = <T>(what: string, result: T): Promise<T> => {
    asked.push(what);
    return what.startsWith(refuses ?? '-') ? Promise.reject(refused) : Promise.resolve(result);
  };
  const template = { id: 't' } as Template;
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
  return { asked, management };
}

const made = { template: { name: 'n', imageName: 'i' }, endpoint: {} };
const change = { template: { env: { A: '1' } }, endpoint: { workersMax: 5 } };

describe('a new endpoint', () => {
  it('is made of a template that is made first', async () => {
    const { asked, management } = service(null);
    expect(await createEndpoint(management, made)).toEqual({ endpointId: 'e' });
    expect(asked).toEqual(['make template', 'make endpoint']);
  });

  it('holds its template itself where the account has it so: one request, and nothing to take back', async () => {
    const { asked, management } = service(null);
    const deploy = ({ name }: { name: string }) => {
      asked.push(`deploy ${name}`);
      return management.createEndpoint();
    };
    expect(await createEndpoint({ ...management, deploy }, made)).toEqual({ endpointId: 'e' });
    expect(asked).toEqual(['deploy n', 'make endpoint']);
  });

  it('that is refused leaves no template, and tells the reason', async () => {
    const { asked, management } = service('make endpoint');
    await expect(createEndpoint(management, made)).rejects.toBe(refused);
    expect(asked).toEqual(['make template', 'make endpoint', 'delete template t']);
  });
});

describe('a changed endpoint', () => {
  it('is changed, then its template', async () => {
    const { asked, management } = service(null);
    await updateEndpoint(management, 'e', change);
    expect(asked).toEqual(['endpoint {"workersMax":5}', 'template {"env":{"A":"1"}}']);
  });

  it('is asked for nothing that has not changed', async () => {
    const { asked, management } = service(null);
    await updateEndpoint(management, 'e', { ...change, endpoint: {} });
    await updateEndpoint(management, 'e', { ...change, template: {} });
    expect(asked).toEqual(['template {"env":{"A":"1"}}', 'endpoint {"workersMax":5}']);
  });

  it('is set back when its template is refused', async () => {
    const { asked, management } = service('template');
    await expect(updateEndpoint(management, 'e', change)).rejects.toBe(refused);
    expect(asked.at(-1)).toBe('endpoint {"workersMax":3}');
  });
});

describe('a removed endpoint', () => {
  it('takes its template along only when asked to', async () => {
    const { asked, management } = service(null);
    await removeEndpoint(management, 'e', false);
    expect(asked).toEqual(['delete endpoint e']);
    await removeEndpoint(management, 'e', true);
    expect(asked.slice(1)).toEqual(['delete endpoint e', 'delete template t']);
  });

  it('says why its template is still there', async () => {
    const { management } = service('delete template');
    expect(await removeEndpoint(management, 'e', true)).toEqual({ templateKept: 'no' });
  });
});
