/** What the person says their machine costs: by GPU type, or by electricity, saved as soon as a field is left. */
import { useState } from 'react';
import { NumberInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { PriceSettings } from '#contract/api/billing.ts';
import { CPU_TYPE } from '#contract/api/gpuType.ts';
import { useAway } from '../../client/away.ts';
import { api, errorText, orpc } from '../../client/transport/orpc.ts';
import { announce } from '../../ui/primitives/announce.tsx';
import { Card, CardHead } from '../../ui/primitives/Card.tsx';
import styles from './gpus.module.css';
import { gpuTypesKey } from './useGpuTypes.ts';
import { fieldProblem } from '../../ui/text/fieldLabels.ts';
import { t } from '../../language/text.ts';

interface PricesCardProps {
  accountId: string;
  target: string;
  gpuTypeIds: readonly string[];
}

export function PricesCard({ accountId, target, gpuTypeIds }: PricesCardProps) {
  const queries = useQueryClient();
  const options = orpc.machine.settings.queryOptions({ input: { accountId } });
  const { data, error } = useQuery(options);
  const away = useAway();
  const save = useMutation({
    mutationFn: ({ prices }: { field: string; prices: Partial<PriceSettings> }) =>
      api.machine.changeSettings({ accountId, change: { prices } }),
    onSuccess: (settings) => {
      queries.setQueryData(options.queryKey, settings);
      announce(t`Saved`);
      void queries.invalidateQueries({ queryKey: gpuTypesKey });
    },
  });
  if (!data) {
    return error && away === null ? (
      <Card aria-label={t`Prices of ${target}`} role="region">
        <p className={styles.hint}>{t`Your prices could not be read. ${errorText(error)}`}</p>
      </Card>
    ) : null;
  }
  const { prices } = data;
  const refused = (field: string): string | null =>
    save.isError && save.variables.field === field ? fieldProblem(errorText(save.error)) : null;
  const types = [...new Set([...gpuTypeIds, ...Object.keys(prices.gpuHour)])].filter((id) => id !== CPU_TYPE);
  const field = (name: string, change: (amount: number | null) => Partial<PriceSettings>) => ({
    error: refused(name),
    onSave: (amount: number | null) => save.mutate({ field: name, prices: change(amount) }),
  });
  return (
    <Card aria-label={t`Prices of ${target}`} role="region">
      <CardHead title={t`What ${target} costs you`} isPlain />
      <p
        className={styles.hint}
      >{t`In US dollars, for usage from now on. For a GPU without a price, Hangar counts the electricity, from its measured power.`}</p>
      <div className={styles.prices}>
        <Amount
          label={t`Electricity, per kWh`}
          value={prices.perKwh}
          {...field('perKwh', (amount) => ({ perKwh: amount ?? 0 }))}
        />
        {types.map((id) => (
          <Amount
            key={id}
            label={t`${id}, per hour`}
            empty={t`its electricity`}
            value={prices.gpuHour[id] ?? null}
            {...field(id, (amount) => ({ gpuHour: { ...prices.gpuHour, [id]: amount } }))}
          />
        ))}
        <Amount
          label={t`CPU core, per hour`}
          empty={t`no price`}
          value={prices.cpuHour}
          {...field('cpuHour', (amount) => ({ cpuHour: amount }))}
        />
        <Amount
          label={t`GB of volume, per month`}
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
