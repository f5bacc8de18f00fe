/** All that is known of a GPU type: prices over time, and what its vendor publishes. */
import { type ReactNode } from 'react';
import { Modal, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { pricePeriodSchema, type PriceHistory, type PricePeriod } from '#contract/app/price.ts';
import { errorText, orpc } from '../../../client/transport/orpc.ts';
import { personalSetting } from '../../../state/personalSetting.ts';
import { Fact, Facts } from '../../../ui/primitives/DescriptionList.tsx';
import { ErrorBoundary } from '../../../ui/primitives/ErrorBoundary.tsx';
import { lazyPart } from '../../../ui/primitives/lazyPart.ts';
import { areCountsEnough, formatMoment } from '../../../ui/text/format.ts';
import { Amount, MemoryOf, Published } from '../cells.tsx';
import { freeOf, perPodOf, type GpuRow } from '../gpuRows.ts';
import { StockChip, stockOf } from '../StockChip.tsx';
import styles from './history.module.css';
import { Segments } from '../../../ui/tabs/Segments.tsx';
import { t } from '../../../language/text.ts';

const PriceCharts = lazyPart(() => import('./PriceCharts.tsx'), <Skeleton h={300} mt={8} radius={8} />);

/** Between two reads of the history. */
export const HISTORY_MS = 5 * 60_000;

const periods: readonly { value: PricePeriod; label: string }[] = [
  { value: 'day', label: t`24 hours` },
  { value: 'week', label: t`7 days` },
  { value: 'month', label: t`30 days` },
  { value: 'quarter', label: t`90 days` },
];
const chosenPeriod = personalSetting('gpus.period', pricePeriodSchema, 'week');

interface GpuDetailsProps {
  accountId: string;
  /** The account, in the middle of a sentence. */
  target: string;
  /** Null: closed. */
  row: GpuRow | null;
  /** Its buttons. */
  children: ReactNode;
  onClose: () => void;
}

export function GpuDetails({ row, onClose, ...props }: GpuDetailsProps) {
  return (
    <Modal opened={row !== null} onClose={onClose} title={row?.name} size={640}>
      {row && <Content row={row} {...props} />}
    </Modal>
  );
}

function Content({ row, accountId, target, children }: Omit<GpuDetailsProps, 'row' | 'onClose'> & { row: GpuRow }) {
  const { spec } = row;
  return (
    <>
      <div className={styles.facts}>
        <Facts>
          <Fact name={t`Per GPU and hour`}>
            <Amount row={row} amount={row.perGpu} listPrice={row.listPrice} />
          </Fact>
          <Fact name={t`Stock`}>
            <StockChip {...stockOf(row)} /> {areCountsEnough(row.totalCount) ? perPodOf(row) : freeOf(row)}
          </Fact>
          <Fact name={t`Memory`}>
            <MemoryOf gb={row.memoryInGb} />
          </Fact>
          <Fact name={t`Bandwidth`}>
            <Published spec={spec} value={row.bandwidth} unit="GB/s" />
          </Fact>
          <Fact name={t`FP16 tensor`}>
            <Published spec={spec} value={row.tflops} unit="TFLOPS" />
          </Fact>
          <Fact name="FP32">
            <Published spec={spec} value={spec?.fp32Tflops ?? null} unit="TFLOPS" />
          </Fact>
          <Fact name={t`Power`}>
            <Published spec={spec} value={row.watts} unit="W" />
          </Fact>
          <Fact name={t`Source`}>{spec?.source ?? t`no published specifications`}</Fact>
        </Facts>
      </div>
      <div className={styles.actions}>{children}</div>
      <History row={row} accountId={accountId} target={target} />
    </>
  );
}

function History({ row: { id, name }, accountId, target }: { row: GpuRow; accountId: string; target: string }) {
  const period = chosenPeriod.use();
  const { data, error } = useQuery(
    orpc.prices.history.queryOptions({
      input: { accountId, period, gpuTypeId: id },
      refetchInterval: HISTORY_MS,
      retry: false,
    }),
  );
  return (
    <section aria-label={t`Prices over time`}>
      <div className={styles.head}>
        <h3>{t`Prices over time`}</h3>
        <Segments
          size="xs"
          aria-label={t`Period`}
          data={[...periods]}
          value={period}
          onChange={(value) => chosenPeriod.set(pricePeriodSchema.parse(value))}
        />
      </div>
      {error && !data && <p className={styles.note}>{t`They could not be read. ${errorText(error)}`}</p>}
      {!error && !data && <Skeleton h={300} mt={8} radius={8} />}
      {data && (
        <ErrorBoundary what={t`The charts`} of={period}>
          <Seen name={name} period={period} history={data} target={target} />
        </ErrorBoundary>
      )}
    </section>
  );
}

function Seen({
  history,
  target,
  ...props
}: {
  name: string;
  period: PricePeriod;
  history: PriceHistory;
  target: string;
}) {
  const [type] = history.types;
  const since =
    history.since === null
      ? t`Hangar has no prices of ${target} yet. It collects them while it runs.`
      : t`Hangar has collected the prices of ${target} since ${formatMoment(history.since)}. Gaps are times when Hangar was not running or none was free.`;
  return (
    <>
      {type ? (
        <PriceCharts history={history} points={type.points} {...props} />
      ) : (
        history.since !== null && <p className={styles.note}>{t`No price was seen for this GPU in this period.`}</p>
      )}
      <p className={styles.note}>{since}</p>
    </>
  );
}
