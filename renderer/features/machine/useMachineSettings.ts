/** The settings of the machine. A change is saved immediately; the reason of a refusal is shown at its field. */
import { useState } from 'react';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { MachineSettings } from '#contract/local/machine.ts';
import type { MachineSettingsChange } from '#contract/bridge/machine.ts';
import { useStatePollMs } from '../../client/changes/pushed.ts';
import { api, errorText, orpc } from '../../client/transport/orpc.ts';
import { announce } from '../../ui/primitives/announce.tsx';
import { fieldProblem } from '../../ui/text/fieldLabels.ts';
import { t } from '../../language/text.ts';

/** Interval of the polls of an engine that does not report their changes. */
const EVERY_MS = 10_000;

export function useMachineSettings(accountId: string): {
  settings: MachineSettings | undefined;
  problem: string | null;
  /** Resolves once the change is saved or refused. A refusal is shown at `field`. */
  change: (field: string, change: MachineSettingsChange) => Promise<void>;
  errorOf: (field: string) => string | null;
} {
  const queries = useQueryClient();
  const options = orpc.machine.settings.queryOptions({
    input: { accountId },
    refetchInterval: useStatePollMs(accountId, EVERY_MS, 'settings'),
    placeholderData: keepPreviousData,
  });
  const { data, error, isError } = useQuery(options);
  const [refused, setRefused] = useState<Readonly<Record<string, string>>>({});
  const save = useMutation({
    mutationFn: ({ change }: { field: string; change: MachineSettingsChange }) =>
      api.machine.changeSettings({ accountId, change }),
    onSuccess: (settings, { field }) => {
      queries.setQueryData(options.queryKey, settings);
      setRefused(({ [field]: _, ...others }) => others);
      announce(t`Saved`);
      // The change may start a pause or release a GPU.
      void queries.invalidateQueries({ queryKey: orpc.machine.get.key() });
    },
    onError: (failure, { field }) => setRefused((others) => ({ ...others, [field]: fieldProblem(errorText(failure)) })),
  });
  return {
    settings: data,
    problem: isError && data === undefined ? errorText(error) : null,
    change: (field, change) =>
      save.mutateAsync({ field, change }).then(
        () => undefined,
        () => undefined,
      ),
    errorOf: (field) => refused[field] ?? null,
  };
}
