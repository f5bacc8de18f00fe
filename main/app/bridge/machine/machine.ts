/** The procedures about an account's computer. They use the part of its client that only an engine of Hangar has. */
import { AppError } from '#contract/core/errors.ts';
import type { machineContract } from '#contract/bridge/machine.ts';
import type { ImplementerInternalWithMiddlewares } from '@orpc/server';
import type { MachineApi } from '../../compute/machine.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { ComputeApi, Directory } from '../../services/directory.ts';
import { watchChanges } from './changes.ts';

interface MachineBinding {
  directory: Directory;
  ledger: Pick<Ledger, 'findJob'>;
  clock: Clock;
  lifeOf: (signal: AbortSignal | undefined) => AbortSignal;
  translated: <T>(events: AsyncGenerator<T, void, void>) => AsyncGenerator<T, void, void>;
}

export function bindMachine(
  machine: ImplementerInternalWithMiddlewares<typeof machineContract, object, object>,
  { directory, ledger, clock, lifeOf, translated }: MachineBinding,
) {
  function ours<T>(accountId: string, part: (api: ComputeApi) => T | null): T {
    const result = part(directory.compute(accountId));
    if (result !== null) return result;
    const { name } = directory.get(accountId);
    throw new AppError('NOT_FOUND', `"${name}" is not a Hangar engine, so it does not report its machines.`);
  }
  const withPreview = <Job extends { id: string }>(jobs: readonly Job[]) =>
    jobs.map((job) => ({ ...job, preview: ledger.findJob(job.id)?.preview ?? null }));
  const of = (accountId: string): MachineApi => ours(accountId, (api) => api.machine);

  return {
    changes: machine.changes.handler(({ input, signal }) =>
      translated(watchChanges(of(input.accountId), clock, lifeOf(signal))),
    ),
    get: machine.get.handler(({ input }) => of(input.accountId).get()),
    machineSamples: machine.machineSamples.handler(({ input, signal }) =>
      translated(of(input.accountId).machineSamples(input.everyMs, lifeOf(signal))),
    ),
    workerSamples: machine.workerSamples.handler(({ input, signal }) =>
      translated(of(input.accountId).workerSamples(input.everyMs, lifeOf(signal))),
    ),
    images: machine.images.handler(({ input }) => of(input.accountId).images()),
    removeImage: machine.removeImage.handler(({ input }) => of(input.accountId).removeImage(input.name)),
    pullImage: machine.pullImage.handler(({ input }) => of(input.accountId).pullImage(input.request)),
    removePull: machine.removePull.handler(({ input }) => of(input.accountId).removePull(input.pullId)),
    pulls: machine.pulls.handler(({ input, signal }) => translated(of(input.accountId).pulls(lifeOf(signal)))),
    disk: machine.disk.handler(({ input }) => of(input.accountId).disk()),
    gpuHistory: machine.gpuHistory.handler(({ input }) => of(input.accountId).gpuHistory(input.period)),
    processorHistory: machine.processorHistory.handler(({ input }) =>
      of(input.accountId).processorHistory(input.period),
    ),
    facts: machine.facts.handler(({ input }) => of(input.accountId).facts()),
    workers: machine.workers.handler(({ input }) => of(input.accountId).workers()),
    pauseState: machine.pauseState.handler(({ input }) => of(input.accountId).pauseState()),
    pause: machine.pause.handler(({ input }) => of(input.accountId).pause(input.request)),
    resume: machine.resume.handler(({ input }) => of(input.accountId).resume()),
    settings: machine.settings.handler(({ input }) => of(input.accountId).settings()),
    changeSettings: machine.changeSettings.handler(({ input }) => of(input.accountId).changeSettings(input.change)),
    engineSettings: machine.engineSettings.handler(({ input }) => of(input.accountId).engineSettings()),
    changeEngineSettings: machine.changeEngineSettings.handler(({ input }) =>
      of(input.accountId).changeEngineSettings(input.change),
    ),
    sshServer: machine.sshServer.handler(({ input }) => of(input.accountId).sshServer()),
    changeSshServer: machine.changeSshServer.handler(({ input }) => of(input.accountId).changeSshServer(input.change)),
    setAside: machine.setAside.handler(async ({ input }) => withPreview(await of(input.accountId).setAside())),
    release: machine.release.handler(({ input }) => of(input.accountId).release(input.jobId)),
    cancel: machine.cancel.handler(async ({ input }) => {
      await directory.compute(input.accountId).jobs.cancel(input.endpointId, input.jobId);
    }),
    queue: machine.queue.handler(async ({ input }) =>
      withPreview(await of(input.accountId).queue(input.endpointId, input.limit)),
    ),
    move: machine.move.handler(({ input }) => of(input.accountId).move(input.jobId, input.before)),
  };
}
