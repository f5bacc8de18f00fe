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

/** The limits of the command, for a Pod on these GPUs or on the CPU. */
function fillLimits({ cpus, memoryGb }: DockerRun, onCpu: boolean, hasLimits: boolean): Filled {
  const isCoreLimit = cpus !== null && !onCpu;
  return {
    change: {
      ...(cpus !== null && onCpu && { vcpuCount: cpus }),
      ...(isCoreLimit && hasLimits && { coreLimit: cpus }),
      ...(memoryGb !== null && hasLimits && { memoryLimit: memoryGb }),
    },
    notTaken: hasLimits
      ? []
      : [
          ...(isCoreLimit ? [t`--cpus (on this account, a Pod with GPUs has the cores of its machine)`] : []),
          ...(memoryGb === null ? [] : [t`--memory (this account cannot limit it)`]),
        ],
  };
}

/** A command without GPUs leaves the chosen hardware as it is. */
function fillHardware({ gpus }: DockerRun, gpuTypeId: string, offers: readonly GpuOffer[]): Filled {
  if (gpus === null) return { change: {}, notTaken: [] };
  const typeId = gpuTypeId === CPU_TYPE ? firstType(offers) : gpuTypeId;
  if (typeId === CPU_TYPE) return { change: {}, notTaken: [t`the GPUs, of which none is free`] };
  const change = { ...hardwareValues(typeId, offers), gpuCount: gpus === 'all' ? 1 : gpus };
  return { change, notTaken: gpus === 'all' ? [t`all GPUs (the Pod has 1; change it below)`] : [] };
}

/** `hasLimits`: whether the cores and the memory of a Pod can be limited there. */
export function fillDockerRun(
  run: DockerRun,
  values: Pick<PodValues, 'env' | 'imageName' | 'gpuTypeId'>,
  offers: readonly GpuOffer[],
  hasLimits: boolean,
): Filled {
  const own = ownRows(values).filter(({ name }) => !run.env.some((row) => row.name === name));
  const hardware = fillHardware(run, values.gpuTypeId, offers);
  const onCpu = (hardware.change.gpuTypeId ?? values.gpuTypeId) === CPU_TYPE;
  const computeLimits = fillLimits(run, onCpu, hasLimits);
  return {
    change: {
      ...hardware.change,
      ...computeLimits.change,
      templateId: '',
      imageName: run.imageName,
      ...(run.name !== null && { name: run.name }),
      command: joinCommand(run.command),
      entrypoint: joinCommand(run.entrypoint ?? []),
      env: [...own.filter(({ name }) => name !== ''), ...run.env],
      ports: run.ports,
      ...(run.volumeMountPath !== null && { volumeMountPath: run.volumeMountPath }),
    },
    notTaken: [...run.notTaken, ...hardware.notTaken, ...computeLimits.notTaken],
  };
}
