/** Chooses the period of charts. */
import { gpuPeriods, gpuPeriodSchema, type GpuPeriod } from '#contract/local/gpuHistory.ts';
import { Segments } from '../tabs/Segments.tsx';
import { t } from '../../language/text.ts';

const labels: Readonly<Record<GpuPeriod, string>> = { '15m': '15 min', '1h': '1 h', '6h': '6 h', '24h': '24 h' };

interface PeriodControlProps {
  period: GpuPeriod;
  onChange: (period: GpuPeriod) => void;
}

export const PeriodControl = ({ period, onChange }: PeriodControlProps) => (
  <Segments
    size="xs"
    aria-label={t`Period`}
    data={gpuPeriods.map((value) => ({ value, label: labels[value] }))}
    value={period}
    onChange={(value) => onChange(gpuPeriodSchema.parse(value))}
  />
);
