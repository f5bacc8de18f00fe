/** The GPU prices page: what an hour of each GPU type costs, what is free, side by side. */
import { useState } from 'react';
import { Button, Checkbox, NumberInput, Select, Skeleton, TextInput } from '@mantine/core';
import { useHasMachine } from '../../client/machine.ts';
import { useTarget } from '../../client/accounts.ts';
import { PageTitle } from '../../ui/page/PageTitle.tsx';
import { Unread } from '../../ui/domain/LoadError.tsx';
import { StaleNotice } from '../../ui/domain/StaleNotice.tsx';
import { Card } from '../../ui/primitives/Card.tsx';
import { formatCount } from '../../ui/text/format.ts';
import { Empty } from '../../ui/primitives/Notice.tsx';
import { CompareTable } from './CompareTable.tsx';
import { GpusTable } from './GpusTable.tsx';
import { everything, passes, sorted, type GpuFilter, type SortOf } from './gpuRows.ts';
import styles from './gpus.module.css';
import page from '../../ui/theme/page.module.css';
import { usePins } from './pins.ts';
import { PricesCard } from './PricesCard.tsx';
import { hasCatalogue, useGpuTypes } from './useGpuTypes.ts';

const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });
const counts = ['1', '2', '4', '8'];

export default function GpusPage() {
  const { accountId, account, name: target } = useTarget();
  const hasMachine = useHasMachine() === true;
  const [count, setCount] = useState(1);
  const [filter, setFilter] = useState<GpuFilter>(everything);
  const [sort, setSort] = useState<SortOf>({ by: 'perGpu', up: true });
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const pinned = usePins((pins) => pins.pinned);
  const { now, at, problem, retry } = useGpuTypes(account, count);
  const put = (change: Partial<GpuFilter>) => setFilter((before) => ({ ...before, ...change }));
  const rows =
    now &&
    sorted(
      now.filter((row) => passes(row, filter)),
      sort,
      pinned,
    );
  const compared = now?.filter(({ id }) => chosen.includes(id)) ?? [];

  return (
    <div className={page.page}>
      <header className={page.pageHead}>
        <PageTitle />
        {now && problem === null && <span className={page.count}>as of {clock.format(at)}</span>}
      </header>
      <div className={styles.columns}>
        <Card aria-label="GPU types" role="region">
          <div className={styles.filters} role="search">
            <TextInput
              aria-label="Find a GPU"
              placeholder="Find a GPU"
              value={filter.text}
              onChange={(event) => put({ text: event.currentTarget.value })}
            />
            <Select
              aria-label="How many GPUs"
              data={counts.map((value) => ({ value, label: value === '1' ? '1 GPU' : `${value} GPUs` }))}
              value={String(count)}
              allowDeselect={false}
              onChange={(value) => setCount(Number(value ?? 1))}
            />
            <NumberInput
              aria-label="GB of memory at least"
              placeholder="GB at least"
              min={0}
              hideControls
              value={filter.memory === 0 ? '' : filter.memory}
              onChange={(value) => put({ memory: Number(value) })}
            />
            <NumberInput
              aria-label="Dollars an hour at most"
              placeholder="$/h at most"
              min={0}
              hideControls
              value={filter.most ?? ''}
              onChange={(value) => put({ most: value === '' ? null : Number(value) })}
            />
            <Checkbox
              label="In stock"
              checked={filter.stock === 'there'}
              onChange={(event) => put({ stock: event.currentTarget.checked ? 'there' : 'any' })}
            />
          </div>
          {now && problem !== null && (
            <StaleNotice at={at} problem={problem} retry={retry}>
              These are the last prices that came.
            </StaleNotice>
          )}
          {!rows && problem === null && (
            <div className={styles.loading} role="group" aria-label="Loading" aria-busy="true">
              <Skeleton h={12} w="70%" radius={4} />
              <Skeleton h={12} w="55%" radius={4} />
            </div>
          )}
          {!rows && problem !== null && (
            <div className={styles.message}>
              <Unread
                capability={account !== null && hasCatalogue(account) ? 'pods' : 'graphql'}
                title="The prices could not be read"
                problem={problem}
                retry={retry}
              />
            </div>
          )}
          {rows?.length === 0 && (
            <div className={styles.message}>
              <Empty
                title="No type fits these filters"
                action={<Button onClick={() => setFilter(everything)}>Show all {formatCount(now?.length ?? 0)}</Button>}
              />
            </div>
          )}
          {now && !now.some((row) => row.isProcessor) && (
            <p className={styles.hint}>What Pods without a GPU cost is not told by {target}.</p>
          )}
          {rows && rows.length > 0 && (
            <GpusTable
              {...{ rows, sort, pinned, chosen, count }}
              stale={problem !== null}
              onSort={(by) => setSort((before) => ({ by, up: before.by === by ? !before.up : true }))}
              onChoose={(id) =>
                setChosen((before) => (before.includes(id) ? before.filter((one) => one !== id) : [...before, id]))
              }
            />
          )}
        </Card>
        {compared.length > 1 && <CompareTable rows={compared} onClose={() => setChosen([])} />}
        {hasMachine && (
          <PricesCard accountId={accountId} target={target} gpuTypeIds={(now ?? []).map(({ id }) => id)} />
        )}
      </div>
    </div>
  );
}
