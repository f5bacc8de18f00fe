/** The charts of a Pod, with the values under the pointer. */
import { useMemo, useState } from 'react';
import type { PodMetrics } from '#contract/local/podMetrics.ts';
import { ChartGrid } from '../../../ui/chart/ChartGrid.tsx';
import { chartsOf } from './podCharts.ts';

interface PodChartsProps {
  name: string;
  metrics: PodMetrics;
}

export default function PodCharts({ name, metrics }: PodChartsProps) {
  const [pointed, setPointed] = useState<number | null>(null);
  const charts = useMemo(() => chartsOf(metrics), [metrics]);
  const at = useMemo(() => metrics.points.map((point) => Date.parse(point.at)), [metrics]);
  return (
    <ChartGrid
      charts={charts}
      name={name}
      period={metrics.period}
      at={at}
      stepMs={metrics.stepMs}
      group="pod"
      pointed={pointed}
      onPoint={setPointed}
    />
  );
}
