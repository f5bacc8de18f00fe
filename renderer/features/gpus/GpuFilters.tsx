/** What of the GPU types is shown, and for how many GPUs. */
import { Checkbox, NumberInput, Select, TextInput } from '@mantine/core';
import { Search } from 'lucide-react';
import type { GpuFilter } from './gpuRows.ts';
import styles from './gpus.module.css';
import { t } from '../../language/text.ts';

const counts = ['1', '2', '4', '8'];

interface GpuFiltersProps {
  filter: GpuFilter;
  count: number;
  onFilter: (change: Partial<GpuFilter>) => void;
  onCount: (count: number) => void;
}

export function GpuFilters({ filter, count, onFilter, onCount }: GpuFiltersProps) {
  return (
    <div className={styles.filters} role="search">
      <TextInput
        aria-label={t`Find a GPU`}
        placeholder={t`Find a GPU`}
        leftSection={<Search size={13} aria-hidden />}
        value={filter.text}
        onChange={(event) => onFilter({ text: event.currentTarget.value })}
      />
      <Select
        aria-label={t`How many GPUs`}
        data={counts.map((value) => ({ value, label: value === '1' ? t`1 GPU` : t`${value} GPUs` }))}
        value={String(count)}
        allowDeselect={false}
        onChange={(value) => onCount(Number(value ?? 1))}
      />
      <NumberInput
        aria-label={t`Minimum memory, GB`}
        placeholder={t`Min. GB`}
        min={0}
        hideControls
        value={filter.memory === 0 ? '' : filter.memory}
        onChange={(value) => onFilter({ memory: Number(value) })}
      />
      <NumberInput
        aria-label={t`Maximum US dollars per hour`}
        placeholder={t`Max. $/h`}
        min={0}
        hideControls
        value={filter.most ?? ''}
        onChange={(value) => onFilter({ most: value === '' ? null : Number(value) })}
      />
      <Checkbox
        size="xs"
        label={t`In stock`}
        checked={filter.stock === 'there'}
        onChange={(event) => onFilter({ stock: event.currentTarget.checked ? 'there' : 'any' })}
      />
    </div>
  );
}
