/** Changes the passphrase of the encrypted file. */
import { useRef, useState } from 'react';
import { Button } from '@mantine/core';
import { limits } from '#contract/core/limits.ts';
import type { SecretsState } from '#contract/bridge/secrets.ts';
import { api, errorText } from '../../../client/transport/orpc.ts';
import { announce } from '../../../ui/primitives/announce.tsx';
import { KeyField, takeSecret } from '../../../ui/domain/KeyField.tsx';
import { Notice } from '../../../ui/primitives/Notice.tsx';
import styles from '../settings.module.css';

const none = { from: false, to: false, again: false };

export function PassphraseForm({ onState }: { onState: (state: SecretsState) => void }) {
  const [from, to, again] = [
    useRef<HTMLInputElement>(null),
    useRef<HTMLInputElement>(null),
    useRef<HTMLInputElement>(null),
  ];
  const [filled, setFilled] = useState(none);
  const [busy, setBusy] = useState(false);
  const [said, setSaid] = useState<{ tone: 'bad' | 'off'; title: string; text: string } | null>(null);
  const isComplete = filled.from && filled.to && filled.again;
  const fill = (name: keyof typeof none) => (isFilled: boolean) =>
    setFilled((before) => ({ ...before, [name]: isFilled }));

  // Not a mutation: what those are given is kept.
  const change = async () => {
    const given = { from: takeSecret(from), to: takeSecret(to) };
    const isSame = takeSecret(again) === given.to;
    setFilled(none);
    if (!isSame) {
      setSaid({ tone: 'bad', title: 'Not changed.', text: 'The new one was typed in two ways. Type all three again.' });
      return;
    }
    setBusy(true);
    setSaid(null);
    try {
      onState(await api.secrets.changePassphrase(given));
      setSaid({ tone: 'off', title: 'Changed.', text: 'The file opens with the new passphrase alone.' });
      announce('Passphrase changed');
    } catch (failure) {
      setSaid({ tone: 'bad', title: 'Not changed.', text: errorText(failure) });
    }
    setBusy(false);
  };

  return (
    <section className={styles.block} aria-labelledby="passphrase">
      <h2 id="passphrase">Another passphrase</h2>
      <p>Every key stays where it is. Copies of the file that were made before still open with the old one.</p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isComplete && !busy) void change();
        }}
      >
        <div className={styles.fields}>
          <KeyField label="Passphrase now" field={from} onFilled={fill('from')} />
          <KeyField
            label="New passphrase"
            description={`At least ${limits.secrets.passphraseLength.min} characters`}
            field={to}
            onFilled={fill('to')}
          />
          <KeyField label="The new one again" field={again} onFilled={fill('again')} />
        </div>
        {said !== null && (
          <Notice tone={said.tone} title={said.title}>
            {said.text}
          </Notice>
        )}
        <div className={styles.actions}>
          <Button size="xs" type="submit" variant="default" disabled={!isComplete} loading={busy}>
            Change the passphrase
          </Button>
        </div>
      </form>
    </section>
  );
}
