/** The values that a `docker run` command gives to the form of a new Pod. */
import { CPU_TYPE } from '#contract/api/gpuType.ts';
import type { GpuOffer } from '#contract/bridge/pod.ts';
import { joinCommand } from '../../../../ui/form/commandText.ts';
import { ownRows } from '../gallery/fillProgram.ts';
import { firstType } from '../HardwareFields.tsx';
import { hardwareValues, type PodValues } from '../podForm.ts';
import type { DockerRun } from './dockerRun.ts';
import { t } from '../../../../language/text.ts';

interface Filled {
  change: Partial<PodValues>;
  /** The parts of the command that the Pod will not have, for a person. */
  notTaken: string[];
}

/** A command without GPUs leaves the chosen hardware as it is. */
function fillHardware({ gpus, cpus }: DockerRun, gpuTypeId: string, offers: readonly GpuOffer[]): Filled {
  const onCpu = gpuTypeId === CPU_TYPE;
  const notTaken = cpus !== null && (gpus !== null || !onCpu) ? [t`--cpus (a Pod on GPUs has all cores)`] : [];
  if (gpus === null) return { change: cpus !== null && onCpu ? { vcpuCount: cpus } : {}, notTaken };
  const typeId = onCpu ? firstType(offers) : gpuTypeId;
  if (typeId === CPU_TYPE) return { change: {}, notTaken: [...notTaken, t`the GPUs, of which none is free`] };
  const change = { ...hardwareValues(typeId, offers), gpuCount: gpus === 'all' ? 1 : gpus };
  return { change, notTaken: gpus === 'all' ? [...notTaken, t`all GPUs (the Pod has 1; change it below)`] : notTaken };
}

export function fillDockerRun(
  run: DockerRun,
  values: Pick<PodValues, 'env' | 'imageName' | 'gpuTypeId'>,
  offers: readonly GpuOffer[],
): Filled {
  const own = ownRows(values).filter(({ name }) => !run.env.some((row) => row.name === name));
  const hardware = fillHardware(run, values.gpuTypeId, offers);
  return {
    change: {
      ...hardware.change,
      templateId: '',
      imageName: run.imageName,
      ...(run.name !== null && { name: run.name }),
      command: joinCommand(run.command),
      entrypoint: joinCommand(run.entrypoint ?? []),
      env: [...own.filter(({ name }) => name !== ''), ...run.env],
      ports: run.ports,
      ...(run.volumeMountPath !== null && { volumeMountPath: run.volumeMountPath }),
    },
    notTaken: [...run.notTaken, ...hardware.notTaken],
  };
}
