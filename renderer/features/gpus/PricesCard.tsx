/** What the person says their machine costs: by GPU type, or by electricity, saved as soon as a field is left. */
import { useState } from 'react';
import { NumberInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { PriceSettings } from '#contract/api/billing.ts';
import { CPU_TYPE } from '#contract/api/gpuType.ts';
import { api, errorText, orpc } from '../../client/transport/orpc.ts';
import { announce } from '../../ui/primitives/announce.tsx';
import { Card } from '../../ui/primitives/Card.tsx';
import styles from './gpus.module.css';
import { gpuTypesKey } from './useGpuTypes.ts';

interface PricesCardProps {
  accountId: string;
  target: string;
  gpuTypeIds: readonly string[];
}

export function PricesCard({ accountId, target, gpuTypeIds }: PricesCardProps) {
  const queries = useQueryClient();
  const options = orpc.machine.settings.queryOptions({ input: { accountId } });
  const { data, error } = useQuery(options);
  const save = useMutation({
    mutationFn: ({ prices }: { field: string; prices: Partial<PriceSettings> }) =>
      api.machine.changeSettings({ accountId, change: { prices } }),
    onSuccess: (settings) => {
      queries.setQueryData(options.queryKey, settings);
      announce('Saved');
      void queries.invalidateQueries({ queryKey: gpuTypesKey });
    },
  });
  if (!data) {
    return error ? (
      <Card aria-label={`Prices of ${target}`} role="region">
        <p className={styles.hint}>Your own prices could not be read. {errorText(error)}</p>
      </Card>
    ) : null;
  }
  const { prices } = data;
  const refused = (field: string): string | null =>
    save.isError && save.variables.field === field ? errorText(save.error) : null;
  const types = [...new Set([...gpuTypeIds, ...Object.keys(prices.gpuHour)])].filter((id) => id !== CPU_TYPE);
  const field = (name: string, change: (amount: number | null) => Partial<PriceSettings>) => ({
    error: refused(name),
    onSave: (amount: number | null) => save.mutate({ field: name, prices: change(amount) }),
  });
  return (
    <Card aria-label={`Prices of ${target}`} role="region">
      <header className={styles.cardHead}>
        <h2>What {target} costs you</h2>
      </header>
      <p className={styles.hint}>
        In US dollars, for what is billed from now on. A GPU without a price of its own costs its electricity: the watts
        that were measured while it was used.
      </p>
      <div className={styles.prices}>
        <Amount
          label="Electricity, a kWh"
          value={prices.perKwh}
          {...field('perKwh', (amount) => ({ perKwh: amount ?? 0 }))}
        />
        {types.map((id) => (
          <Amount
            key={id}
            label={`${id}, an hour`}
            empty="its electricity"
            value={prices.gpuHour[id] ?? null}
            {...field(id, (amount) => ({ gpuHour: { ...prices.gpuHour, [id]: amount } }))}
          />
        ))}
        <Amount
          label="One core of the CPU, an hour"
          empty="nothing"
          value={prices.cpuHour}
          {...field('cpuHour', (amount) => ({ cpuHour: amount }))}
        />
        <Amount
          label="A GB of volume, a month"
          value={prices.volumeGbMonth}
          {...field('volumeGbMonth', (amount) => ({ volumeGbMonth: amount ?? 0 }))}
        />
      </div>
    </Card>
  );
}

interface AmountProps {
  label: string;
  value: number | null;
  /** What it costs where there is no price; without it, a price is needed. */
  empty?: string;
  error: string | null;
  onSave: (amount: number | null) => void;
}

function Amount({ label, value, empty, error, onSave }: AmountProps) {
  /** What was typed and is not saved; a refused amount stays, so that it can be corrected. */
  const [draft, setDraft] = useState<number | string | null>(null);
  if (draft !== null && draft !== '' && Number(draft) === value) setDraft(null);
  const commit = () => {
    if (draft === null) return;
    if (draft !== '') onSave(Number(draft));
    else if (empty !== undefined) onSave(null);
    if (draft === '') setDraft(null);
  };
  return (
    <NumberInput
      label={label}
      prefix="$"
      hideControls
      decimalScale={6}
      placeholder={empty ?? '0'}
      value={draft ?? value ?? ''}
      error={error}
      onChange={setDraft}
      onBlur={commit}
      onKeyDown={(event) => event.key === 'Enter' && commit()}
    />
  );
}
