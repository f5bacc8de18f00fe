/** One GPU in a row: its load and its users now. Open, also its load over time, and whether workers may use it. */
import { Fragment, useMemo } from 'react';
import type { WorkerRecord } from '#contract/local/engine.ts';
import type { GpuHistory } from '#contract/local/gpuHistory.ts';
import type { MachineGpu } from '#contract/local/machine.ts';
import { formatGpuMemory, formatMemory, formatPercent } from '../../../ui/text/format.ts';
import { RouteLink } from '../../../ui/primitives/RouteLink.tsx';
import { chartsOf } from '../history/charts.ts';
import { DeviceHistory, type Pointing } from '../history/DeviceHistory.tsx';
import { GpuUsers } from '../history/GpuUsers.tsx';
import type { Histories } from '../history/useHistories.ts';
import { periodNames } from '../../../ui/chart/period.ts';
import { startWords } from '../../../ui/chart/timeWords.ts';
import { DeviceRow } from './DeviceRow.tsx';
import { gpuUsers, type GpuUser } from './gpuUsers.ts';
import page from '../machine.module.css';
import styles from './load.module.css';
import { Metric } from './Metric.tsx';
import { noTrack, trackOf } from './series.ts';
import { SavedSwitch } from '../../../ui/saved/SavedSwitch.tsx';
import { useMachineSettings } from '../useMachineSettings.ts';
import { ReasonField } from '../../../ui/popover/ReasonField.tsx';
import { t } from '../../../language/text.ts';

const degrees = (value: number): string => `${Math.round(value)} °C`;
const watts = (value: number): string => `${Math.round(value)} W`;

function shareWords(isAvailable: boolean, isShared: boolean): string {
  if (!isAvailable) return t`Only a GPU that is available to workers can be shared.`;
  return isShared ? t`Several workers share it and its memory.` : t`One worker uses it at a time.`;
}

function factsOf(index: number, isAvailable: boolean, isShared: boolean): string {
  if (!isAvailable) return t`GPU ${index}, reserved for you`;
  return isShared ? t`GPU ${index}, shared` : t`GPU ${index}`;
}

interface GpuRowProps extends Pointing {
  accountId: string;
  gpu: MachineGpu;
  workers: readonly WorkerRecord[];
  endpointNames: ReadonlyMap<string, string>;
  histories: Histories;
  isOpen: boolean;
  onToggle: () => void;
}

export function GpuRow({ accountId, gpu, workers, endpointNames, histories, ...rest }: GpuRowProps) {
  const { isOpen, onToggle, ...pointing } = rest;
  const { change, errorOf, settings } = useMachineSettings(accountId);
  const { uuid, typeId } = gpu;
  const choice = settings?.gpus[uuid];
  const enabled = choice?.enabled ?? gpu.enabled;
  const shared = choice?.shared ?? gpu.shared;
  const of = t`${typeId}, GPU ${gpu.index}`;
  const { period, gpus } = histories;
  const history = gpus.now?.find((one) => one.uuid === uuid);
  const charts = useMemo(() => (history ? chartsOf(history) : []), [history]);
  const point = pointing.pointed === null ? undefined : history?.points[pointing.pointed];
  const when =
    point && history
      ? t`Used at ${startWords(Date.parse(point.at), history.points.length * history.stepMs)}`
      : t`Used in ${periodNames[period]}`;
  return (
    <DeviceRow
      name={of}
      title={typeId}
      facts={factsOf(gpu.index, enabled, shared)}
      isOff={!enabled}
      isOpen={isOpen}
      onToggle={onToggle}
      users={<UsersNow accountId={accountId} users={gpuUsers(gpu, workers, endpointNames)} />}
      metrics={<GpuMetrics of={of} gpu={gpu} history={history} period={period} isOpen={isOpen} />}
    >
      <DeviceHistory
        {...pointing}
        name={of}
        period={period}
        view={gpus}
        history={history}
        charts={charts}
        expected={4}
      />
      <div className={styles.below}>
        {history && charts.length > 0 && (
          <GpuUsers accountId={accountId} when={when} users={point?.users ?? history.users} />
        )}
        <div className={styles.choices}>
          <SavedSwitch
            size="xs"
            label={t`Available to workers`}
            description={
              enabled ? t`Turn off to reserve it for yourself.` : t`Reserved for you. Workers do not use it.`
            }
            checked={enabled}
            error={errorOf(`gpus.${uuid}.enabled`)}
            onChange={(isOn) => change(`gpus.${uuid}.enabled`, { gpus: { [uuid]: { enabled: isOn } } })}
          />
          <ReasonField whyNot={enabled ? null : t`Reserved for you. Workers do not use it.`}>
            <SavedSwitch
              size="xs"
              label={t`Share it`}
              description={shareWords(enabled, shared)}
              checked={shared}
              error={errorOf(`gpus.${uuid}.shared`)}
              onChange={(isOn) => change(`gpus.${uuid}.shared`, { gpus: { [uuid]: { shared: isOn } } })}
            />
          </ReasonField>
          {gpu.driverVersion !== null && <p className={page.quiet}>{t`Driver ${gpu.driverVersion}`}</p>}
        </div>
      </div>
    </DeviceRow>
  );
}

interface GpuMetricsProps extends Pick<Histories, 'period'> {
  of: string;
  gpu: MachineGpu;
  history: GpuHistory | undefined;
  isOpen: boolean;
}

/** The least top of a chart of power, watts: an idle GPU is a line at its foot. */
const POWER_W = 100;

function GpuMetrics({ gpu: { load, memoryBytes }, history, ...both }: GpuMetricsProps) {
  const at = load === null ? 0 : Date.parse(load.at);
  const trackOfGpu = (quantity: 'utilPercent' | 'memoryBytes' | 'temperatureC' | 'powerW', value: number | null) =>
    load === null ? noTrack : trackOf(history, (point) => point[quantity]?.mean ?? null, { at, value });
  return (
    <>
      <Metric
        {...both}
        name={t`Load`}
        track={trackOfGpu('utilPercent', load?.utilPercent ?? null)}
        full={100}
        format={formatPercent}
        value={load?.utilPercent ?? null}
      />
      <Metric
        {...both}
        name={t`Memory`}
        track={trackOfGpu('memoryBytes', load?.memoryUsedBytes ?? null)}
        full={memoryBytes}
        format={formatMemory}
        value={load?.memoryUsedBytes ?? null}
        rest={t`of ${formatGpuMemory(memoryBytes / 1024 ** 3)}`}
      />
      <Metric
        {...both}
        name={t`Temperature`}
        track={trackOfGpu('temperatureC', load?.temperatureC ?? null)}
        full={100}
        format={degrees}
        value={load?.temperatureC ?? null}
      />
      <Metric
        {...both}
        name={t`Power`}
        track={trackOfGpu('powerW', load?.powerW ?? null)}
        full={POWER_W}
        format={watts}
        value={load?.powerW ?? null}
      />
    </>
  );
}

function UsersNow({ accountId, users }: { accountId: string; users: readonly GpuUser[] }) {
  return (
    <p className={styles.users}>
      <span>{users.length > 0 && users.every(({ isNotRunning }) => isNotRunning) ? t`Kept by` : t`Used by`}</span>{' '}
      {users.length === 0 && t`nobody`}
      {users.map(({ name, memory, isNotRunning, to }, index) => (
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
          {isNotRunning && ` ${t`(not running)`}`}
        </Fragment>
      ))}
    </p>
  );
}
