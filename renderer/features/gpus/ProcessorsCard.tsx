/** What a core of each processor costs, for Pods without a GPU. */
import { CPU_TYPE } from '#contract/api/gpuType.ts';
import { Card, CardHead } from '../../ui/primitives/Card.tsx';
import { PlainTable } from '../../ui/primitives/PlainTable.tsx';
import { Amount } from './cells.tsx';
import type { GpuRow } from './gpuRows.ts';
import styles from './gpus.module.css';
import { DeployButton, useWhyNoPod } from './DeployButton.tsx';
import { StockChip } from './StockChip.tsx';
import { t } from '../../language/text.ts';

interface ProcessorsCardProps {
  rows: readonly GpuRow[];
  target: string;
}

export function ProcessorsCard({ rows, target }: ProcessorsCardProps) {
  const whyNoPod = useWhyNoPod();
  return (
    <Card aria-label={t`CPUs`} role="region">
      <CardHead title={t`Without a GPU`} isPlain />
      {rows.length === 0 ? (
        <p className={styles.hint} data-last>{t`${target} does not report what Pods without a GPU cost.`}</p>
      ) : (
        <div className={styles.scroll}>
          <PlainTable
            label={t`CPUs`}
            className={styles.processors}
            rows={rows}
            keyOf={({ id }) => id}
            columns={[
              {
                title: t`CPU`,
                isHeader: true,
                cell: ({ id, name, stock }) => (
                  <>
                    {name}
                    <span className={styles.below}>
                      <StockOf id={id} stock={stock} />
                    </span>
                  </>
                ),
              },
              {
                title: '$/core-h',
                isNumber: true,
                cell: (row) => <Amount row={row} amount={row.perGpu} />,
              },
              { title: t`Stock`, needs: 'medium', cell: ({ id, stock }) => <StockOf id={id} stock={stock} /> },
              {
                title: t`Actions`,
                isTitleHidden: true,
                cell: (row) => <DeployButton row={row} size="xs" variant="default" label={t`Deploy on ${row.name}`} />,
              },
            ]}
          />
        </div>
      )}
      {rows.length > 0 && whyNoPod !== null && (
        <p className={styles.hint} data-last>
          {whyNoPod}
        </p>
      )}
    </Card>
  );
}

/** The processor of a machine has no stock: all that runs there shares it. */
function StockOf({ id, stock }: Pick<GpuRow, 'id' | 'stock'>) {
  return id === CPU_TYPE ? (
    <span title={t`All workers and Pods share it`}>{t`always there`}</span>
  ) : (
    <StockChip stock={stock} />
  );
}
