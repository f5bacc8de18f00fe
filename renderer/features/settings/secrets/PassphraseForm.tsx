/** Changes the passphrase of the encrypted file. */
import { useRef, useState } from 'react';
import { limits } from '#contract/core/limits.ts';
import type { SecretsState } from '#contract/bridge/secrets.ts';
import { api, errorText } from '../../../client/transport/orpc.ts';
import { announce } from '../../../ui/primitives/announce.tsx';
import { KeyField, takeSecret } from '../../../ui/domain/KeyField.tsx';
import { Notice } from '../../../ui/primitives/Notice.tsx';
import styles from '../settings.module.css';
import { ReasonButton } from '../../../ui/popover/ReasonButton.tsx';
import { t } from '../../../language/text.ts';

const none = { from: false, to: false, again: false };
const { min: MIN_LENGTH } = limits.secrets.passphraseLength;

export function PassphraseForm({ onState }: { onState: (state: SecretsState) => void }) {
  const [from, to, again] = [
    useRef<HTMLInputElement>(null),
    useRef<HTMLInputElement>(null),
    useRef<HTMLInputElement>(null),
  ];
  const [filled, setFilled] = useState(none);
  const [busy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<{ tone: 'bad' | 'off'; title: string; text: string } | null>(null);
  const isComplete = filled.from && filled.to && filled.again;
  const fill = (name: keyof typeof none) => (isFilled: boolean) =>
    setFilled((before) => ({ ...before, [name]: isFilled }));

  // Not a mutation, because a mutation keeps its variables: here passphrases.
  const change = async () => {
    const passphrases = { from: takeSecret(from), to: takeSecret(to) };
    const isSame = takeSecret(again) === passphrases.to;
    setFilled(none);
    if (!isSame) {
      setOutcome({
        tone: 'bad',
        title: t`Not changed.`,
        text: t`The new passphrases differ. Enter all three again.`,
      });
      from.current?.focus();
      return;
    }
    setBusy(true);
    setOutcome(null);
    try {
      onState(await api.secrets.changePassphrase(passphrases));
      setOutcome({ tone: 'off', title: t`Changed.`, text: t`Only the new passphrase opens the file now.` });
      announce(t`Passphrase changed`);
    } catch (failure) {
      setOutcome({ tone: 'bad', title: t`Not changed.`, text: errorText(failure) });
      from.current?.focus();
    }
    setBusy(false);
  };

  return (
    <section className={styles.block} aria-labelledby="passphrase">
      <h2 id="passphrase">{t`Another passphrase`}</h2>
      <p>{t`The keys stay in the file. Older copies of the file still open with the old passphrase.`}</p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isComplete && !busy) void change();
        }}
      >
        <div className={styles.fields}>
          <KeyField label={t`Current passphrase`} isRequired field={from} onFilled={fill('from')} />
          <KeyField
            label={t`New passphrase`}
            isRequired
            description={t`At least ${MIN_LENGTH} characters`}
            field={to}
            minLength={MIN_LENGTH}
            onFilled={fill('to')}
          />
          <KeyField label={t`Repeat the new passphrase`} isRequired field={again} onFilled={fill('again')} />
        </div>
        {outcome !== null && (
          <Notice tone={outcome.tone} title={outcome.title}>
            {outcome.text}
          </Notice>
        )}
        <div className={styles.actions}>
          <ReasonButton
            size="xs"
            type="submit"
            variant="default"
            whyNot={
              isComplete
                ? null
                : t`Fill in all three fields first. A new passphrase has at least ${MIN_LENGTH} characters.`
            }
            loading={busy}
          >{t`Change the passphrase`}</ReasonButton>
        </div>
      </form>
    </section>
  );
}
