/** Saves fields of settings one by one, as soon as each is changed; the reason of a refusal is shown at its field. */
import { useState } from 'react';
import { useMutation } from '@tanstack/react-query';
import { errorText } from '../../client/transport/orpc.ts';
import { t } from '../../language/text.ts';
import { announce } from '../primitives/announce.tsx';
import { fieldProblem } from '../text/fieldLabels.ts';

export interface SavedFields<Change> {
  /** Resolves once the change is saved or refused. A refusal is shown at `field`. */
  change: (field: string, change: Change) => Promise<void>;
  /** Why the last change of a field was refused; null if it was not. */
  errorOf: (field: string) => string | null;
}

export function useSavedFields<Change, Settings>({
  save,
  onSaved,
}: {
  /** Resolves with the settings as they are now; rejects with the reason of a refusal. */
  save: (change: Change) => Promise<Settings>;
  onSaved: (settings: Settings) => void;
}): SavedFields<Change> {
  const [refused, setRefused] = useState<Readonly<Record<string, string>>>({});
  const { mutateAsync } = useMutation({
    mutationFn: (edit: { field: string; change: Change }) => save(edit.change),
    onSuccess: (settings, { field }) => {
      onSaved(settings);
      setRefused(({ [field]: _, ...others }) => others);
      announce(t`Saved`);
    },
    onError: (failure, { field }) => setRefused((others) => ({ ...others, [field]: fieldProblem(errorText(failure)) })),
  });
  return {
    change: async (field, change) => {
      // A refusal is told at its field.
      await mutateAsync({ field, change }).catch(() => undefined);
    },
    errorOf: (field) => refused[field] ?? null,
  };
}
