import { expect, it } from 'vitest';
import { createFakeClock, createFakeIds } from '../../../../test/support/core/fakes.ts';
import { templateDefaults, type Template } from '#contract/api/resources.ts';
import { createEndpoints, limitsOf } from './endpoints.ts';
import type { ResourceStore, StoredVolume } from './ports.ts';
import { endpointView } from './views.ts';
import { createTemplates } from './templates.ts';
import { createVolumes } from './volumes.ts';

const nothing = (): void => undefined;

/** A store with these templates and no endpoint. */
function storeOf(...templates: Template[]): ResourceStore {
  return {
    loadTemplates: () => templates,
    loadEndpoints: () => [],
    saveTemplate: nothing,
    deleteTemplate: nothing,
    saveEndpoint: nothing,
    deleteEndpoint: nothing,
  };
}

it('volumes that were stored before are in the region that this machine is called now, and others where they were', () => {
  const volume = (id: string, dataCenterId: string): StoredVolume => ({
    id,
    name: id,
    size: 1,
    dataCenterId,
    folder: id,
    isOpenedToAll: true,
  });
  const stored = [volume('old', 'LOCAL'), volume('new', 'LOCAL-1'), volume('far', 'EU-RO-1')];
  const store = { load: () => stored, save: nothing, delete: nothing };
  const folders = {
    path: (name: string) => name,
    make: (name: string) => name,
    openToAll: () => true,
    remove: () => Promise.resolve(),
  };
  const volumes = createVolumes(store, folders, createFakeIds());
  expect(volumes.list().map(({ dataCenterId }) => dataCenterId)).toEqual(['LOCAL-1', 'LOCAL-1', 'EU-RO-1']);
});

it('an endpoint that is replaced as a whole has no least CUDA version unless one is given', () => {
  const store = storeOf({ ...templateDefaults, id: 't', name: 't', imageName: 'i' });
  const ids = createFakeIds();
  const endpoints = createEndpoints(store, createTemplates(store, ids), ids, createFakeClock());
  const { id } = endpoints.create({ templateId: 't', minCudaVersion: '12.4' });
  expect(endpoints.update(id, { workersMax: 1 }).minCudaVersion).toBe('12.4');
  expect(endpoints.replace(id, { templateId: 't' }).minCudaVersion).toBeUndefined();
});

it('workers of an endpoint on the CPU have the cores and the memory of its instance, and a change of those means new workers', () => {
  const store = storeOf({ ...templateDefaults, id: 't', name: 't', imageName: 'i' });
  const ids = createFakeIds();
  const endpoints = createEndpoints(store, createTemplates(store, ids), ids, createFakeClock());
  const all = { vcpuCount: 0, memoryInGb: 0 };
  expect(limitsOf(endpoints.create({ templateId: 't', vcpuCount: 4, cpuFlavorIds: ['cpu3g'] }))).toEqual(all);
  const fields = { templateId: 't', computeType: 'CPU', cpuFlavorIds: ['cpu3g', 'cpu3c'], vcpuCount: 1 } as const;
  const one = endpoints.create({ ...fields, cpuFlavorIds: ['cpu3g', 'cpu3c'], memoryInGb: 3 });
  expect(limitsOf(one)).toEqual({ vcpuCount: 1, memoryInGb: 3 });
  expect(endpointView(one, undefined).instanceIds).toEqual(['cpu3g-1-3', 'cpu3c-1-3']);
  const other = endpoints.update(one.id, { vcpuCount: 2 });
  expect(limitsOf(other)).toEqual({ vcpuCount: 2, memoryInGb: 8 });
  expect(other.version).toBe(one.version + 1);
  expect(limitsOf(endpoints.update(one.id, { cpuFlavorIds: [] }))).toEqual({ vcpuCount: 2, memoryInGb: 0 });
});

it('a template whose image cannot have its name is refused, when it is made and when it is changed', () => {
  const templates = createTemplates(storeOf(), createFakeIds());
  expect(() => templates.create({ name: 't', imageName: 'Me/Worker' })).toThrow('cannot be the name of an image');
  const { id } = templates.create({ name: 't', imageName: 'me/worker:1' });
  expect(() => templates.update(id, { imageName: 'me worker' })).toThrow('cannot be the name of an image');
  expect(templates.get(id).imageName).toBe('me/worker:1');
});
