/** Gives up the place that keys are in where it cannot be read any more, such as a file whose passphrase is lost. */
import { useRef, useState } from 'react';
import { Button, SegmentedControl, Stack } from '@mantine/core';
import { limits } from '#contract/core/limits.ts';
import type { SecretsState } from '#contract/bridge/secrets.ts';
import type { SecretKind } from '#contract/app/secretKind.ts';
import { api, errorText } from '../../../client/transport/orpc.ts';
import { announce } from '../../../ui/primitives/announce.tsx';
import { ConfirmDialog } from '../../../ui/primitives/ConfirmDialog.tsx';
import { formatCount } from '../../../ui/text/format.ts';
import { KeyField, takeSecret } from '../../../ui/domain/KeyField.tsx';
import styles from '../settings.module.css';

const labels: Record<SecretKind, string> = { file: 'A new file', keychain: 'The keychain', memory: 'Memory' };

interface GiveUpProps {
  state: SecretsState;
  onState: (state: SecretsState) => void;
}

export function GiveUp({ state, onState }: GiveUpProps) {
  const { kind, keychainProblem } = state;
  const [asked, setAsked] = useState(false);
  const isFile = kind === 'file';
  const others: SecretKind[] = ['file', ...(keychainProblem === null ? (['keychain'] as const) : []), 'memory'];
  return (
    <section className={styles.block} aria-labelledby="give-up">
      <h2 id="give-up">{isFile ? 'The passphrase is lost?' : 'The keychain does not come back?'}</h2>
      <p>
        {isFile
          ? 'Nobody can read the file without it, Hangar neither. It can be given up: keys are then kept anew, and have to be typed again.'
          : 'What it holds can be given up: keys are then kept elsewhere, and have to be typed again.'}
      </p>
      <div className={styles.actions}>
        <Button size="xs" variant="default" onClick={() => setAsked(true)}>
          {isFile ? 'Give up this file…' : 'Give up what it holds…'}
        </Button>
      </div>
      <Question
        state={state}
        choices={isFile ? others : others.filter((one) => one !== kind)}
        opened={asked}
        onClose={() => setAsked(false)}
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
  // Not a mutation: what those are given is kept.
  const giveUp = async () => {
    setBusy(true);
    setProblem(null);
    try {
      const passphrase = next === 'file' ? takeSecret(field) : undefined;
      onState(await api.secrets.choose({ kind: next, passphrase, leave: true }));
      announce('Given up');
      onClose();
    } catch (failure) {
      setProblem(errorText(failure));
    }
    setBusy(false);
  };
  const count = entries === 1 ? 'The one entry' : `All ${formatCount(entries)} entries`;
  return (
    <ConfirmDialog
      opened={opened}
      onClose={close}
      title={kind === 'file' ? 'Give up the encrypted file?' : 'Give up what the keychain holds?'}
      action="Give it up"
      typed="give up"
      busy={busy}
      problem={problem}
      onConfirm={() => void giveUp()}
    >
      <ul>
        {entries > 0 && <li>{count} in it are lost to Hangar: each account needs its key typed again.</li>}
        <li>
          Registry passwords and storage settings that the service of this computer keeps cannot be read any more, and
          have to be given again.
        </li>
        {kind === 'file' && fileExists && (
          <li>
            The file is set aside as <b>{filePath}.old</b>: nothing in it is destroyed.
          </li>
        )}
      </ul>
      <p>Where keys are kept from then on:</p>
      <Stack gap={10}>
        <SegmentedControl
          aria-label="Where keys are kept from then on"
          data={choices.map((value) => ({ value, label: labels[value] }))}
          value={next}
          onChange={(value) => setNext(choices.find((one) => one === value) ?? next)}
        />
        {next === 'file' && (
          <KeyField
            label="A passphrase for the new file"
            description={`At least ${limits.secrets.passphraseLength.min} characters`}
            field={field}
          />
        )}
      </Stack>
    </ConfirmDialog>
  );
}
