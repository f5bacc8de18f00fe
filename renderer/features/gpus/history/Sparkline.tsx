/** The price of a GPU type over a week, as a small line. */
import type { SeenPrice } from '#contract/app/price.ts';
import { formatMoney } from '../../../ui/text/money.ts';
import styles from './history.module.css';
import { linesOf, rangeOf } from './priceLines.ts';
import { t } from '../../../language/text.ts';

const WIDTH = 88;
const HEIGHT = 20;
/** Room for the width of the line. */
const EDGE = 2;

/** `points`: undefined if nothing was seen in the week. */
export function Sparkline({ points }: { points: readonly (SeenPrice | null)[] | undefined }) {
  const range = rangeOf(points ?? []);
  if (points === undefined || range === null) {
    return <span title={t`No price was seen in the last 7 days`}>–</span>;
  }
  const { least, most } = range;
  const step = (WIDTH - 2 * EDGE) / Math.max(1, points.length - 1);
  const height = HEIGHT - 2 * EDGE;
  const place = ({ index, value }: { index: number; value: number }): string => {
    const share = most === least ? 0.5 : (value - least) / (most - least);
    return `${(EDGE + index * step).toFixed(1)},${(EDGE + (1 - share) * height).toFixed(1)}`;
  };
  const words =
    most === least
      ? t`${formatMoney(least)} in the last 7 days`
      : t`${formatMoney(least)} to ${formatMoney(most)} in the last 7 days`;
  return (
    <svg className={styles.spark} width={WIDTH} height={HEIGHT} role="img" aria-label={words}>
      <title>{words}</title>
      {linesOf(points).map((line) => {
        const [first] = line;
        // A line of one point would be nothing: it gets the length of one step.
        const end = line.length === 1 && first !== undefined ? [{ ...first, index: first.index + 0.9 }] : [];
        return <polyline key={first?.index} points={[...line, ...end].map(place).join(' ')} />;
      })}
    </svg>
  );
}
