/** What a new Pod would run on now, in words, and who uses the GPUs that it cannot have. */
import { CPU_TYPE } from '#contract/api/gpuType.ts';
import own from '../pods.module.css';
import { gpuStates, processorReason, type MachineGpus } from './gpuState.ts';
import { t } from '../../../language/text.ts';

interface GpuListProps {
  machine: MachineGpus;
  /** The chosen type, or the CPU. */
  typeId: string;
  count: number;
}

export function GpuList({ machine, typeId, count }: GpuListProps) {
  const onCpu = typeId === CPU_TYPE;
  const states = gpuStates(machine, onCpu ? null : typeId, onCpu ? 1 : count);
  return (
    <>
      {onCpu && <p className={own.offer}>{processorReason(machine)}</p>}
      {states.length > 0 && (
        <ul className={own.gpus} aria-label={t`GPUs of the machine`}>
          {states.map(({ uuid, name, use, isNext, isAvailable }) => (
            <li key={uuid} data-available={isAvailable || undefined}>
              <b>{name}</b>
              <span>{use}</span>
              {isNext && !onCpu && <em>{t`for this Pod`}</em>}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
