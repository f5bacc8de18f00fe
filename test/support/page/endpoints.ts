/** Endpoints of this computer as the app tells them to the page. */
import { THIS_MACHINE } from '#contract/app/account.ts';
import type { EndpointDetail, EndpointRow } from '#contract/app/endpointReadModels.ts';
import type { EndpointReadiness } from '#contract/local/engine.ts';
import type { EndpointSummary } from '#contract/bridge/index.ts';
import type { FolderReading } from '#contract/local/folder.ts';
import { lenientEndpointSchema, lenientTemplateSchema } from '#contract/api/lenient.ts';

/** A handler in Python on the Python of this machine, without an environment of its own. */
export const pythonHandler: NonNullable<EndpointReadiness['handler']> = {
  file: 'handler.py',
  python: { program: '/usr/bin/python3', version: '3.11.7', from: 'this machine' },
  environmentSource: null,
};

/** The reading of a folder with that handler, which says nothing else of itself. */
export const folderReading: FolderReading = {
  ...pythonHandler,
  notices: [],
  problem: null,
  template: {},
  endpoint: {},
  presets: [],
  tests: 0,
};

/** One that runs `handler`; null for one that is made of an image. */
export const readinessOf = (handler: EndpointReadiness['handler']): EndpointReadiness => ({
  id: 'e',
  available: true,
  reason: null,
  notices: [],
  handler,
  publicSdk: null,
  trouble: null,
  reload: null,
  runtime: handler === null ? 'container' : handler.file?.endsWith('.py') ? 'python' : 'node',
});

/** An endpoint with a handler in Node, as the lists of choices have it, with other values in `fields`. */
export const endpointSummary = (fields: Partial<EndpointSummary> = {}): EndpointSummary => ({
  accountId: THIS_MACHINE,
  id: 'e',
  name: 'words',
  imageName: null,
  workersMin: 0,
  workersMax: 1,
  runtime: 'node',
  publicSdk: null,
  available: true,
  reason: null,
  sampleInput: null,
  description: null,
  ...fields,
});

/** A line of the list. `readiness`: null for an account that does not tell. */
export const endpointRow = (readiness: EndpointReadiness | null): EndpointRow => ({
  id: 'e',
  name: 'greeter',
  type: 'QB',
  templateId: 't',
  imageName: 'file:///handlers/greeter',
  readiness,
  workersMin: 0,
  workersMax: 3,
  idleTimeout: 5,
  health: null,
  healthProblem: null,
});

/** The same in full. `env`: the variables of its template. */
export const endpointDetail = (
  env: Record<string, string> = {},
  templateSharedWith: string[] = [],
): EndpointDetail => ({
  endpoint: lenientEndpointSchema.parse({
    id: 'e',
    name: 'greeter',
    templateId: 't',
    createdAt: '2026-01-01T00:00:00.000Z',
  }),
  template: lenientTemplateSchema.parse({ id: 't', name: 'greeter', imageName: 'file:///handlers/greeter', env }),
  templateSharedWith,
  sampleInput: null,
});
