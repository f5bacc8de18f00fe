/** The procedures about endpoints, bound to the client of their account. */
import { THIS_MACHINE } from '#contract/app/account.ts';
import type { BridgeContract } from '#contract/bridge/index.ts';
import type { ImplementerInternalWithMiddlewares } from '@orpc/server';
import type { Ledger } from '../../ledger/ledger.ts';
import { afterChange } from '../../platform/partialChange.ts';
import type { Directory } from '../../services/directory.ts';
import { checkFolder } from '../../services/folders/folderCheck.ts';
import { newHandler } from '../../services/folders/newHandler.ts';
import { makeSampleAgain, type SampleFolders } from '../../services/samples.ts';
import { foldersOf } from '../machine/folders.ts';
import { createEndpoint, removeEndpoint, updateEndpoint } from './endpointChanges.ts';
import { forgetPaused, pauseEndpoint, resumeEndpoint } from './endpointPauses.ts';
import { endpointMetrics, endpointTotals, type EndpointMetricsParts } from './endpointMetrics.ts';
import { listEndpoints } from './endpoints.ts';
import { endpointChoices, endpointDetail, endpointsNow } from './endpointViews.ts';

export interface EndpointBinding extends Omit<EndpointMetricsParts, 'compute' | 'ledger'> {
  ledger: EndpointMetricsParts['ledger'] & Pick<Ledger, 'meta' | 'setMeta'>;
  directory: Directory;
  samples: SampleFolders;
  /** The umask of the person. */
  personMask: number;
  lifeOf: (signal: AbortSignal | undefined) => AbortSignal;
}

export function bindEndpoints(
  endpoints: ImplementerInternalWithMiddlewares<BridgeContract['endpoints'], object, object>,
  { directory, samples, personMask: mask, lifeOf, ...metricParts }: EndpointBinding,
) {
  const of = (accountId: string) => directory.compute(accountId);
  return {
    list: endpoints.list.handler(({ input }) => listEndpoints(input.accountId, of(input.accountId))),
    health: endpoints.health.handler(({ input }) => of(input.accountId).jobs.health(input.endpointId)),
    now: endpoints.now.handler(({ input }) => endpointsNow(of(input.accountId))),
    get: endpoints.get.handler(({ input }) => endpointDetail(of(input.accountId), input.endpointId)),
    choices: endpoints.choices.handler(({ input: { accountId } }) =>
      endpointChoices(accountId, of(accountId), samples.resourcesDir),
    ),
    checkFolder: endpoints.checkFolder.handler(({ input }) =>
      checkFolder(input.path, (imageName) => foldersOf(directory, THIS_MACHINE).read(imageName, input.python)),
    ),
    create: endpoints.create.handler(({ input: { accountId, ...endpoint } }) =>
      createEndpoint(of(accountId).management, endpoint),
    ),
    createSample: endpoints.createSample.handler(({ input: { accountId, name } }) =>
      makeSampleAgain(name, samples, of(accountId).management),
    ),
    newHandler: endpoints.newHandler.handler(({ input }) =>
      newHandler(input, {
        create: (endpoint) => createEndpoint(of(THIS_MACHINE).management, endpoint),
        names: async () => (await of(THIS_MACHINE).management.templates()).map(({ name }) => name),
        resourcesDir: samples.resourcesDir,
        mask,
      }),
    ),
    update: endpoints.update.handler(async ({ input: { accountId, endpointId, ...change } }) => {
      const compute = of(accountId);
      await updateEndpoint(compute.management, endpointId, change);
      return afterChange('The changes are saved.', () => endpointDetail(compute, endpointId));
    }),
    remove: endpoints.remove.handler(async ({ input: { accountId, endpointId, withTemplate } }) => {
      const removed = await removeEndpoint(of(accountId).management, endpointId, withTemplate);
      forgetPaused(metricParts.ledger, { accountId, endpointId });
      return removed;
    }),
    pause: endpoints.pause.handler(({ input }) =>
      pauseEndpoint(of(input.accountId).management, metricParts.ledger, input),
    ),
    resume: endpoints.resume.handler(({ input }) =>
      resumeEndpoint(of(input.accountId).management, metricParts.ledger, input),
    ),
    metrics: endpoints.metrics.handler(({ input, signal }) =>
      endpointMetrics({ ...metricParts, compute: of(input.accountId) }, input, lifeOf(signal)),
    ),
    totals: endpoints.totals.handler(({ input: { accountId, period } }) => endpointTotals(of(accountId), period)),
    purge: endpoints.purge.handler(async ({ input: { accountId, endpointId } }) => ({
      removed: await of(accountId).jobs.purge(endpointId),
    })),
  };
}
