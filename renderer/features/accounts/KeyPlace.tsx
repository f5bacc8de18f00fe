/** Says where the key of a new account will be kept. Where that is memory alone, it offers the encrypted file. */
import { useRef, useState } from 'react';
import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { limits } from '#contract/core/limits.ts';
import { api, errorText, orpc } from '../../client/transport/orpc.ts';
import { KeyField, takeSecret } from '../../ui/domain/KeyField.tsx';
import { announce } from '../../ui/primitives/announce.tsx';
import { Notice } from '../../ui/primitives/Notice.tsx';
import { keyPlaces } from '../../ui/text/keyLabels.ts';
import panel from '../../ui/theme/panel.module.css';
import styles from './accounts.module.css';
import { ReasonButton } from '../../ui/popover/ReasonButton.tsx';
import { t } from '../../language/text.ts';

export function KeyPlace() {
  const { data } = useQuery(orpc.secrets.state.queryOptions({ staleTime: 0, retry: false }));
  const [isOpen, setOpen] = useState(false);
  // Settings say why the store cannot be asked; adding the account says so, too.
  if (!data) return null;
  // Memory that the person chose needs no warning.
  if (data.kind !== 'memory' || data.chosen) {
    return <p className={panel.hint}>{t`The key is kept ${keyPlaces[data.kind]}.`}</p>;
  }
  if (isOpen) return <FileForm exists={data.fileExists} />;
  return (
    <Notice
      tone="wait"
      title={t`The key is kept in memory only.`}
      action={<Button size="xs" variant="default" onClick={() => setOpen(true)}>{t`Use an encrypted file…`}</Button>}
    >{t`There is no keychain here. When Hangar quits, the key is lost and must be entered again.`}</Notice>
  );
}

/** It is part of the form of the account, so Enter in its field must not send that. */
function FileForm({ exists }: { exists: boolean }) {
  const queries = useQueryClient();
  const field = useRef<HTMLInputElement>(null);
  const [isFilled, setFilled] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  // Not a mutation, because a mutation keeps its variables: here a passphrase.
  const use = async () => {
    if (!isFilled || isBusy) return;
    setBusy(true);
    setProblem(null);
    setFilled(false);
    try {
      const state = await api.secrets.choose({ kind: 'file', passphrase: takeSecret(field) });
      queries.setQueryData(orpc.secrets.state.queryOptions().queryKey, state);
      announce(t`Keys are kept in the encrypted file`);
    } catch (error) {
      setProblem(errorText(error));
    }
    setBusy(false);
  };
  return (
    <div
      className={styles.keyFile}
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return;
        event.preventDefault();
        void use();
      }}
    >
      <KeyField
        label={exists ? t`Passphrase of the encrypted file` : t`A passphrase for the encrypted file`}
        description={
          exists
            ? t`The passphrase you chose for it. Hangar asks for it at each start.`
            : t`At least ${limits.secrets.passphraseLength.min} characters. Hangar asks for it at each start.`
        }
        field={field}
        error={problem}
        autoFocus
        onFilled={setFilled}
      />
      <ReasonButton
        variant="default"
        whyNot={isFilled ? null : t`Enter the passphrase first.`}
        loading={isBusy}
        onClick={() => void use()}
      >{t`Store in the file`}</ReasonButton>
    </div>
  );
}
