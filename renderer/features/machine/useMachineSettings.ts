/** The settings of the machine. A change is saved immediately; the reason of a refusal is shown at its field. */
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import type { MachineSettings } from '#contract/local/machine.ts';
import type { MachineSettingsChange } from '#contract/bridge/machine.ts';
import { useStatePollMs } from '../../client/changes/pushed.ts';
import { api, errorText, orpc } from '../../client/transport/orpc.ts';
import { useSavedFields, type SavedFields } from '../../ui/saved/useSavedFields.ts';

/** Interval of the polls of an engine that does not report their changes. */
const EVERY_MS = 10_000;

export function useMachineSettings(accountId: string): SavedFields<MachineSettingsChange> & {
  settings: MachineSettings | undefined;
  problem: string | null;
} {
  const queries = useQueryClient();
  const options = orpc.machine.settings.queryOptions({
    input: { accountId },
    refetchInterval: useStatePollMs(accountId, EVERY_MS, 'settings'),
    placeholderData: keepPreviousData,
  });
  const { data, error, isError } = useQuery(options);
  const fields = useSavedFields({
    save: (change: MachineSettingsChange) => api.machine.changeSettings({ accountId, change }),
    onSaved: (settings) => {
      queries.setQueryData(options.queryKey, settings);
      // The change may start a pause or release a GPU.
      void queries.invalidateQueries({ queryKey: orpc.machine.get.key() });
    },
  });
  return { ...fields, settings: data, problem: isError && data === undefined ? errorText(error) : null };
}
