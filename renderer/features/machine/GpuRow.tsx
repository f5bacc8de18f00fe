/** One GPU: what it does, who uses it, and whether workers may have it. */
import { Switch } from '@mantine/core';
import type { MachineGpu } from '#contract/machine.ts';
import { formatMemory, formatPercent } from '../../ui/format.ts';
import styles from './machine.module.css';
import { Metric } from './Metric.tsx';
import { gpuTrack } from './series.ts';
import { useMachineSettings } from './useMachineSettings.ts';

const NAMED_PROGRAMS = 3;
const degrees = (value: number): string => `${Math.round(value)} °C`;
const watts = (value: number): string => `${Math.round(value)} W`;

interface GpuRowProps {
  accountId: string;
  gpu: MachineGpu;
  endpointNames: ReadonlyMap<string, string>;
}

export function GpuRow({ accountId, gpu, endpointNames }: GpuRowProps) {
  const { change, errorOf, settings } = useMachineSettings(accountId);
  const { uuid, typeId, load } = gpu;
  const choice = settings?.gpus[uuid];
  const enabled = choice?.enabled ?? gpu.enabled;
  const shared = choice?.shared ?? gpu.shared;
  const of = `${typeId}, GPU ${gpu.index}`;
  const both = { accountId, of };
  return (
    <section className={styles.device} aria-label={of} data-off={!enabled || undefined}>
      <div className={styles.deviceHead}>
        <h3>{typeId}</h3>
        <span className={styles.quiet}>
          GPU {gpu.index}
          {gpu.driverVersion !== null && `, driver ${gpu.driverVersion}`}
        </span>
      </div>
      <div className={styles.metrics}>
        <Metric
          {...{ ...both, name: 'Load', track: gpuTrack(uuid, 'load'), full: 100, format: formatPercent }}
          value={load?.utilPercent ?? null}
        />
        <Metric
          {...{ ...both, name: 'Memory', track: gpuTrack(uuid, 'memory'), full: gpu.memoryBytes, format: formatMemory }}
          value={load?.memoryUsedBytes ?? null}
          rest={`of ${formatMemory(gpu.memoryBytes)}`}
        />
        <Metric
          {...{ ...both, name: 'Temperature', track: gpuTrack(uuid, 'temperature'), full: 100, format: degrees }}
          value={load?.temperatureC ?? null}
        />
        <Metric
          {...{ ...both, name: 'Power', track: gpuTrack(uuid, 'power'), full: null, format: watts }}
          value={load?.powerW ?? null}
        />
      </div>
      <p className={styles.users}>
        <span>Used by</span> {usersOf(gpu, endpointNames)}
      </p>
      <div className={styles.choices}>
        <Switch
          size="xs"
          label="Workers may use it"
          description={enabled ? 'Off: it is kept for you.' : 'It is kept for you: no worker gets it.'}
          checked={enabled}
          error={errorOf(`gpus.${uuid}.enabled`)}
          onChange={(event) =>
            change(`gpus.${uuid}.enabled`, { gpus: { [uuid]: { enabled: event.currentTarget.checked } } })
          }
        />
        <Switch
          size="xs"
          label="Share it"
          description={
            shared ? 'Several workers hold it at once, and share its memory.' : 'One worker holds it at a time.'
          }
          checked={shared}
          disabled={!enabled}
          error={errorOf(`gpus.${uuid}.shared`)}
          onChange={(event) =>
            change(`gpus.${uuid}.shared`, { gpus: { [uuid]: { shared: event.currentTarget.checked } } })
          }
        />
      </div>
    </section>
  );
}

/** Endpoints whose workers hold it, then other programs, the greatest first. */
function usersOf({ heldBy, load }: MachineGpu, endpointNames: ReadonlyMap<string, string>): string {
  const counts = new Map<string, number>();
  for (const { endpointId } of heldBy) {
    const name = endpointNames.get(endpointId) ?? endpointId;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const workers = [...counts].map(([name, count]) => (count === 1 ? name : `${name} (${count} workers)`));
  const processes = load?.processes ?? [];
  const programs = processes
    .slice(0, NAMED_PROGRAMS)
    .map(({ name, memoryBytes }) => (memoryBytes === null ? name : `${name} ${formatMemory(memoryBytes)}`));
  const more = processes.length - programs.length;
  const all = [...workers, ...programs, ...(more > 0 ? [`${more} more`] : [])];
  return all.length === 0 ? 'nobody' : all.join(', ');
}
