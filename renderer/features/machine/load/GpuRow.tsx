/** One GPU: what it does, who uses it, and whether workers may have it. */
import { Switch } from '@mantine/core';
import type { WorkerRecord } from '#contract/local/engine.ts';
import type { MachineGpu } from '#contract/local/machine.ts';
import { formatMemory, formatPercent } from '../../../ui/text/format.ts';
import { gpuUsers } from './gpuUsers.ts';
import page from '../machine.module.css';
import styles from './load.module.css';
import { Metric } from './Metric.tsx';
import { gpuTrack } from './series.ts';
import { useMachineSettings } from '../useMachineSettings.ts';

const degrees = (value: number): string => `${Math.round(value)} °C`;
const watts = (value: number): string => `${Math.round(value)} W`;

interface GpuRowProps {
  accountId: string;
  gpu: MachineGpu;
  workers: readonly WorkerRecord[];
  endpointNames: ReadonlyMap<string, string>;
}

export function GpuRow({ accountId, gpu, workers, endpointNames }: GpuRowProps) {
  const { change, errorOf, settings } = useMachineSettings(accountId);
  const { uuid, typeId, load } = gpu;
  const choice = settings?.gpus[uuid];
  const enabled = choice?.enabled ?? gpu.enabled;
  const shared = choice?.shared ?? gpu.shared;
  const of = `${typeId}, GPU ${gpu.index}`;
  const users = gpuUsers(gpu, workers, endpointNames);
  const both = { accountId, of };
  return (
    <section className={styles.device} aria-label={of} data-off={!enabled || undefined}>
      <div className={styles.deviceHead}>
        <h3>{typeId}</h3>
        <span className={page.quiet}>
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
        <span>Used by</span> {users.length === 0 ? 'nobody' : users.join(', ')}
      </p>
      <div className={styles.choices}>
        <Switch
          size="xs"
          label="Workers may use it"
          description={enabled ? 'Switched off, it is kept for you.' : 'It is kept for you: no worker gets it.'}
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
