/**
 * What costs money now and how busy the GPU of the target is, in the title bar; nothing where there is no such thing.
 */
import { useQuery } from '@tanstack/react-query';
import { costPerHourNow } from '#contract/app/podCost.ts';
import { useAccounts } from '../../client/accounts.ts';
import { useSampleMs } from '../../client/changes/samples.ts';
import { machineOptions, useHasMachine } from '../../client/machine.ts';
import { usePodsOfAll } from '../../client/podsOfAll.ts';
import { formatRoute } from '../../state/routePath.ts';
import { targetAccount } from '../../state/selection.ts';
import { formatPercent, shortGpuName } from '../../ui/text/format.ts';
import { formatPerHour } from '../../ui/text/money.ts';
import styles from './shell.module.css';
import { t } from '../../language/text.ts';

const GPU_MS = 5000;
/** The chip is on every page, and clouds limit how often they are asked. */
const PODS_MS = 60_000;

export default function TitleChips() {
  return (
    <div className={styles.titleChips}>
      <CostChip />
      <GpuChip />
    </div>
  );
}

function CostChip() {
  const pods = usePodsOfAll(useAccounts() ?? [], PODS_MS);
  const perHour = pods.flatMap(({ rows }) => rows ?? []).reduce((sum, row) => sum + costPerHourNow(row), 0);
  if (perHour === 0) return null;
  const words = formatPerHour(perHour);
  return (
    <a
      href={formatRoute({ page: 'pods', podId: null, tab: 'logs' })}
      title={t`Cost of the running Pods of all accounts`}
      aria-label={t`Running Pods: ${words}`}
    >
      {words}
    </a>
  );
}

function GpuChip() {
  const accountId = targetAccount.use();
  const hasMachine = useHasMachine() === true;
  const known = useQuery({ ...machineOptions(accountId), enabled: false }).data;
  // A machine without a GPU needs no second look.
  const isNeeded = hasMachine && known?.gpus.length !== 0;
  const refetchInterval = useSampleMs(accountId, 'machine', isNeeded ? GPU_MS : null);
  const { data } = useQuery({ ...machineOptions(accountId), enabled: hasMachine, retry: false, refetchInterval });
  const busiest = data?.gpus.toSorted((one, other) => loadOf(other) - loadOf(one))[0];
  if (!busiest || loadOf(busiest) < 0) return null;
  const words = `${shortGpuName(busiest.typeId)} · ${formatPercent(loadOf(busiest))}`;
  return (
    <a href={formatRoute({ page: 'machine' })} title={t`The busiest GPU`} aria-label={t`GPU: ${words}`}>
      {words}
    </a>
  );
}

/** In percent; -1 if it is not measured. */
const loadOf = ({ load }: { load: { utilPercent: number | null } | null }): number => load?.utilPercent ?? -1;
