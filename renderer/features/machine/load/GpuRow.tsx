/** One GPU: its load now and over time, its users, and whether workers may use it. */
import { Fragment, useMemo } from 'react';
import { Switch } from '@mantine/core';
import type { WorkerRecord } from '#contract/local/engine.ts';
import type { MachineGpu } from '#contract/local/machine.ts';
import { formatMemory, formatPercent } from '../../../ui/text/format.ts';
import { RouteLink } from '../../../ui/primitives/RouteLink.tsx';
import { chartsOf } from '../history/charts.ts';
import { DeviceHistory, type Pointing } from '../history/DeviceHistory.tsx';
import { GpuUsers } from '../history/GpuUsers.tsx';
import type { Histories } from '../history/useHistories.ts';
import { periodNames } from '../../../ui/chart/period.ts';
import { startWords } from '../../../ui/chart/timeWords.ts';
import { gpuUsers, type GpuUser } from './gpuUsers.ts';
import page from '../machine.module.css';
import styles from './load.module.css';
import { Metric } from './Metric.tsx';
import { gpuTrack } from './series.ts';
import { useMachineSettings } from '../useMachineSettings.ts';
import { ReasonField } from '../../../ui/popover/ReasonField.tsx';
import { t } from '../../../language/text.ts';

const degrees = (value: number): string => `${Math.round(value)} °C`;
const watts = (value: number): string => `${Math.round(value)} W`;

function shareWords(isAvailable: boolean, isShared: boolean): string {
  if (!isAvailable) return t`Only a GPU that is available to workers can be shared.`;
  return isShared ? t`Several workers share it and its memory.` : t`One worker uses it at a time.`;
}

interface GpuRowProps extends Pointing {
  accountId: string;
  gpu: MachineGpu;
  workers: readonly WorkerRecord[];
  endpointNames: ReadonlyMap<string, string>;
  histories: Histories;
}

export function GpuRow({ accountId, gpu, workers, endpointNames, histories, ...pointing }: GpuRowProps) {
  const { change, errorOf, settings } = useMachineSettings(accountId);
  const { uuid, typeId, load } = gpu;
  const choice = settings?.gpus[uuid];
  const enabled = choice?.enabled ?? gpu.enabled;
  const shared = choice?.shared ?? gpu.shared;
  const of = t`${typeId}, GPU ${gpu.index}`;
  const both = { accountId, of };
  const { period, gpus } = histories;
  const history = gpus.now?.find((one) => one.uuid === uuid);
  const charts = useMemo(() => (history ? chartsOf(history) : []), [history]);
  const point = pointing.pointed === null ? undefined : history?.points[pointing.pointed];
  return (
    <section className={styles.device} aria-label={of} data-off={!enabled || undefined}>
      <div className={styles.deviceHead}>
        <h3>{typeId}</h3>
        <span className={page.quiet}>
          {gpu.driverVersion === null ? t`GPU ${gpu.index}` : t`GPU ${gpu.index}, driver ${gpu.driverVersion}`}
        </span>
      </div>
      <div className={styles.parts}>
        <div className={styles.now}>
          <div className={styles.metrics}>
            <Metric
              {...both}
              name={t`Load`}
              track={gpuTrack(uuid, 'load')}
              full={100}
              format={formatPercent}
              value={load?.utilPercent ?? null}
            />
            <Metric
              {...both}
              name={t`Memory`}
              track={gpuTrack(uuid, 'memory')}
              full={gpu.memoryBytes}
              format={formatMemory}
              value={load?.memoryUsedBytes ?? null}
              rest={t`of ${formatMemory(gpu.memoryBytes)}`}
            />
            <Metric
              {...both}
              name={t`Temperature`}
              track={gpuTrack(uuid, 'temperature')}
              full={100}
              format={degrees}
              value={load?.temperatureC ?? null}
            />
            <Metric
              {...both}
              name={t`Power`}
              track={gpuTrack(uuid, 'power')}
              full={null}
              format={watts}
              value={load?.powerW ?? null}
            />
          </div>
          <UsersNow accountId={accountId} users={gpuUsers(gpu, workers, endpointNames)} />
          <div className={styles.choices}>
            <Switch
              size="xs"
              label={t`Available to workers`}
              description={
                enabled ? t`Turn off to reserve it for yourself.` : t`Reserved for you. Workers do not use it.`
              }
              checked={enabled}
              error={errorOf(`gpus.${uuid}.enabled`)}
              onChange={(event) =>
                change(`gpus.${uuid}.enabled`, { gpus: { [uuid]: { enabled: event.currentTarget.checked } } })
              }
            />
            <ReasonField whyNot={enabled ? null : t`Reserved for you. Workers do not use it.`}>
              <Switch
                size="xs"
                label={t`Share it`}
                description={shareWords(enabled, shared)}
                checked={shared}
                error={errorOf(`gpus.${uuid}.shared`)}
                onChange={(event) =>
                  change(`gpus.${uuid}.shared`, { gpus: { [uuid]: { shared: event.currentTarget.checked } } })
                }
              />
            </ReasonField>
          </div>
        </div>
        <div className={styles.past}>
          <DeviceHistory
            {...pointing}
            name={of}
            period={period}
            view={gpus}
            history={history}
            charts={charts}
            expected={4}
          />
          {history && charts.length > 0 && (
            <GpuUsers
              accountId={accountId}
              when={
                point
                  ? t`Used at ${startWords(Date.parse(point.at), history.points.length * history.stepMs)}`
                  : t`Used in ${periodNames[period]}`
              }
              users={point?.users ?? history.users}
            />
          )}
        </div>
      </div>
    </section>
  );
}

function UsersNow({ accountId, users }: { accountId: string; users: readonly GpuUser[] }) {
  return (
    <p className={styles.users}>
      <span>{t`Used by`}</span> {users.length === 0 && t`nobody`}
      {users.map(({ name, memory, to }, index) => (
        <Fragment key={`${name} ${index}`}>
          {index > 0 && ', '}
          {to === null ? (
            name
          ) : (
            <RouteLink accountId={accountId} to={to}>
              {name}
            </RouteLink>
          )}
          {memory !== null && ` ${memory}`}
        </Fragment>
      ))}
    </p>
  );
}
