/** Abandons a store of keys that can no longer be read, for example a file whose passphrase is lost. */
import { useRef, useState } from 'react';
import { Button, Stack } from '@mantine/core';
import { limits } from '#contract/core/limits.ts';
import type { SecretsState } from '#contract/bridge/secrets.ts';
import type { SecretKind } from '#contract/app/secretKind.ts';
import { api, errorText } from '../../../client/transport/orpc.ts';
import { announce } from '../../../ui/primitives/announce.tsx';
import { useCommands } from '../../../state/commands.ts';
import { ConfirmDialog } from '../../../ui/primitives/ConfirmDialog.tsx';
import { formatCount } from '../../../ui/text/format.ts';
import { KeyField, takeSecret } from '../../../ui/domain/KeyField.tsx';
import styles from '../settings.module.css';
import { Segments } from '../../../ui/tabs/Segments.tsx';
import { counted, rich, t } from '../../../language/text.ts';

const labels: Record<SecretKind, string> = { file: t`A new file`, keychain: t`The keychain`, memory: t`Memory` };

interface GiveUpProps {
  state: SecretsState;
  onState: (state: SecretsState) => void;
}

export function GiveUp({ state, onState }: GiveUpProps) {
  const { kind, keychainProblem } = state;
  const [isOpen, setOpen] = useState(false);
  const isFile = kind === 'file';
  const action = isFile ? t`Abandon this file…` : t`Abandon its entries…`;
  useCommands([{ label: action, run: () => setOpen(true) }]);
  const others: SecretKind[] = ['file', ...(keychainProblem === null ? (['keychain'] as const) : []), 'memory'];
  return (
    <section className={styles.block} aria-labelledby="give-up">
      <h2 id="give-up">{isFile ? t`Lost the passphrase?` : t`Keychain no longer available?`}</h2>
      <p>
        {isFile
          ? t`Without it, nobody can read the file, not even Hangar. You can abandon the file and enter your keys again.`
          : t`You can abandon its entries and enter your keys again, to be stored elsewhere.`}
      </p>
      <div className={styles.actions}>
        <Button size="xs" variant="default" onClick={() => setOpen(true)}>
          {action}
        </Button>
      </div>
      <Question
        state={state}
        choices={isFile ? others : others.filter((one) => one !== kind)}
        opened={isOpen}
        onClose={() => setOpen(false)}
        onState={onState}
      />
    </section>
  );
}

interface QuestionProps extends GiveUpProps {
  choices: readonly SecretKind[];
  opened: boolean;
  onClose: () => void;
}

function Question({
  state: { kind, entries, filePath, fileExists },
  choices,
  opened,
  onClose,
  onState,
}: QuestionProps) {
  const field = useRef<HTMLInputElement>(null);
  const [next, setNext] = useState<SecretKind>('file');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const close = () => {
    setProblem(null);
    onClose();
  };
  // Not a mutation, because a mutation keeps its variables: here a passphrase.
  const giveUp = async () => {
    setBusy(true);
    setProblem(null);
    try {
      const passphrase = next === 'file' ? takeSecret(field) : undefined;
      onState(await api.secrets.choose({ kind: next, passphrase, leave: true }));
      announce(t`Abandoned`);
      onClose();
    } catch (failure) {
      setProblem(errorText(failure));
      // Its field is empty now, where there is one.
      field.current?.focus();
    }
    setBusy(false);
  };
  const count = counted(entries, 'The one entry', 'All {0} entries', formatCount(entries));
  return (
    <ConfirmDialog
      opened={opened}
      onClose={close}
      title={kind === 'file' ? t`Abandon the encrypted file?` : t`Abandon the entries of the keychain?`}
      action={t`Abandon`}
      typed="abandon"
      busy={busy}
      problem={problem}
      onConfirm={() => void giveUp()}
    >
      <ul>
        {entries > 0 && <li>{t`${count} will be unusable: enter the key of each account again.`}</li>}
        <li>{t`Registry passwords and storage settings of this computer can no longer be read and must be entered again.`}</li>
        {kind === 'file' && fileExists && (
          <li>{rich`The file is renamed to ${<b>{t`${filePath}.old`}</b>}, not deleted.`}</li>
        )}
      </ul>
      <p>{t`Then store keys in:`}</p>
      <Stack gap={10}>
        <Segments
          aria-label={t`Then store keys in`}
          data={choices.map((value) => ({ value, label: labels[value] }))}
          value={next}
          onChange={(value) => setNext(choices.find((one) => one === value) ?? next)}
        />
        {next === 'file' && (
          <KeyField
            label={t`A passphrase for the new file`}
            description={t`At least ${limits.secrets.passphraseLength.min} characters`}
            field={field}
          />
        )}
      </Stack>
    </ConfirmDialog>
  );
}
