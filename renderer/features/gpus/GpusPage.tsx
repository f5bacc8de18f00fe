/** The GPU prices page: what an hour of each GPU type costs, what is free, side by side. */
import { useMemo, useState } from 'react';
import { Button, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useHasMachine } from '../../client/machine.ts';
import { useAccounts, useTarget } from '../../client/accounts.ts';
import { orpc } from '../../client/transport/orpc.ts';
import { useBackStep } from '../../state/backStep.ts';
import { useCommands } from '../../state/commands.ts';
import { showNewAccount } from '../../state/overlays.ts';
import { navigate } from '../../state/route.ts';
import { PageTitle } from '../../ui/page/PageTitle.tsx';
import { LoadError } from '../../ui/domain/LoadError.tsx';
import { StaleNotice } from '../../ui/domain/StaleNotice.tsx';
import { Card } from '../../ui/primitives/Card.tsx';
import { formatCount, formatTime } from '../../ui/text/format.ts';
import { Empty } from '../../ui/primitives/Notice.tsx';
import type { AlertDraft } from './alerts/AlertDialog.tsx';
import { CompareTable } from './CompareTable.tsx';
import { deployOn, useWhyNoPod } from './DeployButton.tsx';
import { GpusTable, MOST_COMPARED } from './GpusTable.tsx';
import { everything, passes, sorted, type GpuFilter, type GpuRow } from './gpuRows.ts';
import { GpuFilters } from './GpuFilters.tsx';
import { gpuView } from './gpuView.ts';
import styles from './gpus.module.css';
import { GpuDialogs, newAlert } from './GpuDialogs.tsx';
import { HISTORY_MS } from './history/GpuDetails.tsx';
import type { PricePoints } from './history/priceLines.ts';
import page from '../../ui/theme/page.module.css';
import pieces from '../../ui/theme/pieces.module.css';
import { pinnedGpus, pinnedPrices } from './pins.ts';
import { PricesCard } from './PricesCard.tsx';
import { ProcessorsCard } from './ProcessorsCard.tsx';
import { hasCatalogue, useGpuTypes } from './useGpuTypes.ts';
import { t } from '../../language/text.ts';

const isFiltered = (filter: GpuFilter): boolean => JSON.stringify(filter) !== JSON.stringify(everything);

const withOrWithout = (chosen: readonly string[], id: string): readonly string[] =>
  chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id].slice(0, MOST_COMPARED);

export default function GpusPage() {
  const { accountId, account, name: target } = useTarget();
  const hasMachine = useHasMachine() === true;
  const hasCloud = useAccounts()?.some(({ kind }) => kind === 'cloud') === true;
  const view = gpuView.use();
  const { filter, count, sort } = view;
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const pinned = pinnedGpus.use();
  const prices = pinnedPrices.use(accountId);
  const [openId, setOpenId] = useState<string | null>(null);
  const [alertDraft, setAlertDraft] = useState<AlertDraft | null>(null);
  const week = usePriceWeek(accountId);
  const { now, at, problem, retry } = useGpuTypes(account, count);
  const change = (part: Partial<typeof view>) => gpuView.set({ ...gpuView.get(), ...part });
  const put = (part: Partial<GpuFilter>) => change({ filter: { ...gpuView.get().filter, ...part } });
  const showAll = () => change({ filter: everything });
  const gpus = now?.filter(({ isProcessor }) => !isProcessor);
  const processors = now?.filter(({ isProcessor }) => isProcessor);
  const rows =
    gpus &&
    sorted(
      gpus.filter((row) => passes(row, filter)),
      sort,
      pinned,
    );
  const isLoading = rows === undefined && problem === null;
  // In the order of the table, also those that the filter hides.
  const compared = sorted(gpus?.filter(({ id }) => chosen.includes(id)) ?? [], sort, pinned);
  useBackStep(compared.length > 1, () => setChosen([]));
  const canDeploy = useWhyNoPod() === null;
  const inStock = filter.stock === 'there';
  useCommands([
    {
      label: inStock ? t`Show types that are not in stock` : t`Show only types in stock`,
      run: () => put({ stock: inStock ? 'any' : 'there' }),
    },
    isFiltered(filter) && { label: t`Show all GPU types`, run: showAll },
    compared.length > 1 && { label: t`Close the comparison`, keys: 'Esc', run: () => setChosen([]) },
    ...[...(rows ?? []), ...(processors ?? [])].map((row) => row.stock !== 'None' && canDeploy && deployCommand(row)),
  ]);

  return (
    <div className={page.page}>
      <header className={page.pageHead}>
        <PageTitle />
        {now && problem === null && <span className={page.count}>{t`as of ${formatTime(at)}`}</span>}
      </header>
      <div className={`${styles.columns} ${pieces.inOrder}`}>
        <Card aria-label={t`GPU types`} role="region" aria-busy={isLoading || undefined}>
          {gpus?.length !== 0 && (now || problem === null) && (
            <GpuFilters filter={filter} count={count} onFilter={put} onCount={(many) => change({ count: many })} />
          )}
          {now && problem !== null && (
            <StaleNotice at={at} problem={problem} retry={retry}>{t`These are the last known prices.`}</StaleNotice>
          )}
          {isLoading && (
            <div className={styles.loading} role="group" aria-label={t`Loading`}>
              <Skeleton h={12} w="70%" radius={4} />
              <Skeleton h={12} w="55%" radius={4} />
            </div>
          )}
          {!rows && problem !== null && (
            <div className={styles.message}>
              <LoadError
                capability={account !== null && hasCatalogue(account) ? 'pods' : 'graphql'}
                title={t`The prices could not be read`}
                problem={problem}
                retry={retry}
              />
            </div>
          )}
          {rows?.length === 0 && (
            <div className={styles.message}>
              {gpus?.length === 0 ? (
                <NoGpu target={target} hasCloud={hasCloud} />
              ) : (
                <Empty
                  title={t`No GPU types match these filters`}
                  action={<Button onClick={showAll}>{t`Show all ${formatCount(gpus?.length ?? 0)}`}</Button>}
                />
              )}
            </div>
          )}
          {rows && rows.length > 0 && (
            <GpusTable
              rows={rows}
              accountId={accountId}
              sort={sort}
              pinned={pinned}
              pinnedPrices={prices}
              chosen={chosen}
              week={week}
              count={count}
              stale={problem !== null}
              onSort={(by) => change({ sort: { by, up: sort.by === by ? !sort.up : true } })}
              onChoose={(id) => setChosen((before) => withOrWithout(before, id))}
              onOpen={setOpenId}
              onAlert={(row) => setAlertDraft(newAlert(accountId, row))}
            />
          )}
        </Card>
        {compared.length > 1 && <CompareTable rows={compared} onClose={() => setChosen([])} />}
        <GpuDialogs
          accountId={accountId}
          target={target}
          opened={gpus?.find(({ id }) => id === openId) ?? null}
          draft={alertDraft}
          onOpen={setOpenId}
          onDraft={setAlertDraft}
        />
        {processors && <ProcessorsCard rows={processors} target={target} />}
        {hasMachine && (
          <PricesCard accountId={accountId} target={target} gpuTypeIds={(now ?? []).map(({ id }) => id)} />
        )}
      </div>
    </div>
  );
}

const deployCommand = ({ id, name }: GpuRow) => ({ label: t`Deploy on ${name}…`, run: () => deployOn(id) });

/** The prices of the last week by GPU type. */
function usePriceWeek(accountId: string): ReadonlyMap<string, PricePoints> | undefined {
  const { data } = useQuery(
    orpc.prices.history.queryOptions({
      input: { accountId, period: 'week' },
      refetchInterval: HISTORY_MS,
      retry: false,
    }),
  );
  return useMemo(() => data && new Map(data.types.map(({ gpuTypeId, points }) => [gpuTypeId, points])), [data]);
}

/** A person who looks for the prices of a cloud is told where they come from. */
function NoGpu({ target, hasCloud }: { target: string; hasCloud: boolean }) {
  const addAccount = () => {
    navigate({ page: 'accounts', accountId: null });
    showNewAccount(true);
  };
  return (
    <Empty
      title={t`No GPU on ${target}`}
      action={!hasCloud && <Button variant="default" onClick={addAccount}>{t`Add an account`}</Button>}
    >
      {hasCloud
        ? t`Pods and workers run on its CPU. To see the prices of a cloud, choose its account in the title bar.`
        : t`Pods and workers run on its CPU. To see the prices of a cloud, add your account there.`}
    </Empty>
  );
}
