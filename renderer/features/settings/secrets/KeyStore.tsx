/** The store of account keys: the system's keychain, a file with a passphrase, or memory until Hangar ends. */
import { useRef, useState } from 'react';
import { Button, Group, Skeleton } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { limits } from '#contract/core/limits.ts';
import type { SecretsState } from '#contract/bridge/secrets.ts';
import type { SecretKind } from '#contract/app/secretKind.ts';
import { api, errorText, orpc } from '../../../client/transport/orpc.ts';
import { useSubscription } from '../../../client/transport/subscription.ts';
import { announce } from '../../../ui/primitives/announce.tsx';
import { useCommands } from '../../../state/commands.ts';
import { Fact, Facts } from '../../../ui/primitives/DescriptionList.tsx';
import { formatCount } from '../../../ui/text/format.ts';
import { Id } from '../../../ui/primitives/Id.tsx';
import { KeyField, takeSecret } from '../../../ui/domain/KeyField.tsx';
import { LoadError } from '../../../ui/domain/LoadError.tsx';
import { Notice } from '../../../ui/primitives/Notice.tsx';
import { GiveUp } from './GiveUp.tsx';
import { PassphraseForm } from './PassphraseForm.tsx';
import styles from '../settings.module.css';
import { ReasonButton } from '../../../ui/popover/ReasonButton.tsx';
import { t } from '../../../language/text.ts';

const words: Record<SecretKind, { title: string; text: string }> = {
  keychain: { title: t`The system keychain`, text: t`One entry per account, protected by the system.` },
  file: {
    title: t`An encrypted file`,
    text: t`In the data folder, unlocked with a passphrase at each start.`,
  },
  memory: { title: t`Memory`, text: t`Keys are lost when Hangar quits, and must be entered again.` },
};

export function KeyStore() {
  const queries = useQueryClient();
  const options = orpc.secrets.state.queryOptions({ staleTime: Infinity, retry: false });
  const { data, isError, error, refetch } = useQuery(options);
  const know = (state: SecretsState) => void queries.setQueryData(options.queryKey, state);
  useSubscription<SecretsState>({
    key: 'secrets',
    ends: 'never',
    open: (signal) => api.secrets.changes(undefined, { signal }),
    onEvent: know,
  });
  if (!data && isError) {
    return (
      <section className={styles.block} aria-labelledby="key-store">
        <h2 id="key-store">{t`Where account keys are stored`}</h2>
        <LoadError
          source="app"
          title={t`The store of keys could not be read`}
          problem={errorText(error)}
          retry={() => void refetch()}
        />
      </section>
    );
  }
  return (
    <>
      <section className={styles.block} aria-labelledby="key-store" aria-busy={data === undefined || undefined}>
        <h2 id="key-store">{t`Where account keys are stored`}</h2>
        <p>{t`Never in plain text, never in this page, and never in a log.`}</p>
        {data ? <Kept state={data} onState={know} /> : <Skeleton h={40} m={14} radius={6} w="auto" />}
      </section>
      {data?.kind === 'file' && data.problem === null && <PassphraseForm onState={know} />}
      {data && data.problem !== null && <GiveUp state={data} onState={know} />}
    </>
  );
}

function PlaceFacts({ state: { kind, entries, filePath, fileExists, keychainProblem } }: { state: SecretsState }) {
  return (
    <Facts>
      <Fact name={t`Now`}>
        {words[kind].title}. {words[kind].text}
      </Fact>
      <Fact name={t`Entries`}>{formatCount(entries)}</Fact>
      <Fact name={t`File`}>
        {!fileExists && <>{t`None yet. Its path:`} </>}
        <Id text={filePath} copyLabel={t`Copy path of the encrypted file`} />
      </Fact>
      {keychainProblem !== null && <Fact name={t`Keychain`}>{keychainProblem.reason}</Fact>}
    </Facts>
  );
}

function Kept({ state, onState }: { state: SecretsState; onState: (state: SecretsState) => void }) {
  const { kind, chosen, problem, keychainProblem, fileExists } = state;
  const field = useRef<HTMLInputElement>(null);
  const [filled, setFilled] = useState(false);
  const [busy, setBusy] = useState<string | null>(null);
  const [refused, setRefused] = useState<string | null>(null);
  const isLocked = kind === 'file' && problem?.trouble === 'locked';
  const isOld = isLocked || fileExists;
  const minLength = isOld ? 1 : limits.secrets.passphraseLength.min;
  const whyNot = filled ? null : isOld ? t`Enter the passphrase first.` : t`Type at least ${minLength} characters.`;

  // Not mutations, because a mutation keeps its variables: here passphrases.
  const ask = async (what: string, call: () => Promise<SecretsState>) => {
    setBusy(what);
    setRefused(null);
    setFilled(false);
    try {
      onState(await call());
      announce(t`Done`);
    } catch (failure) {
      setRefused(errorText(failure));
      if (what === 'file') field.current?.focus();
    }
    setBusy(null);
  };
  const move = (to: SecretKind) => ask(to, () => api.secrets.choose({ kind: to }));
  const check = () => ask('check', () => api.secrets.check());
  const mayMove = { keychain: kind !== 'keychain' && keychainProblem === null, memory: kind !== 'memory' || !chosen };
  useCommands([
    mayMove.keychain && { label: t`Store account keys in the keychain`, run: () => void move('keychain') },
    keychainProblem !== null && { label: t`Check the keychain again`, run: () => void check() },
    mayMove.memory && { label: t`Store account keys in memory only`, run: () => void move('memory') },
  ]);

  return (
    <>
      <PlaceFacts state={state} />
      {problem !== null && (
        <Notice
          tone={isLocked ? 'wait' : 'bad'}
          title={isLocked ? t`The file is locked.` : t`Keys cannot be read now.`}
        >
          {problem.reason}
        </Notice>
      )}
      {problem === null && kind === 'memory' && !chosen && (
        <Notice
          tone="wait"
          title={t`Keys are lost when Hangar quits.`}
        >{t`No keychain is available. Choose the encrypted file to store them.`}</Notice>
      )}
      {refused !== null && (
        <Notice tone="bad" title={t`Not done.`}>
          {refused}
        </Notice>
      )}
      <Group gap={8} px={14} pt={10}>
        {mayMove.keychain && (
          <Button
            size="xs"
            variant="default"
            loading={busy === 'keychain'}
            onClick={() => void move('keychain')}
          >{t`Store in the keychain`}</Button>
        )}
        {keychainProblem !== null && (
          <Button
            size="xs"
            variant="default"
            loading={busy === 'check'}
            onClick={() => void check()}
          >{t`Check the keychain again`}</Button>
        )}
        {mayMove.memory && (
          <Button
            size="xs"
            variant="default"
            loading={busy === 'memory'}
            onClick={() => void move('memory')}
          >{t`Store in memory only`}</Button>
        )}
      </Group>
      {(isLocked || kind !== 'file') && (
        <form
          className={styles.fields}
          onSubmit={(event) => {
            event.preventDefault();
            if (!filled || busy !== null) return;
            const passphrase = takeSecret(field);
            void ask('file', () =>
              isLocked ? api.secrets.unlock({ passphrase }) : api.secrets.choose({ kind: 'file', passphrase }),
            );
          }}
        >
          <KeyField
            label={isOld ? t`Passphrase of the file` : t`A passphrase for the file`}
            description={isOld ? t`The passphrase you chose for it` : t`At least ${minLength} characters`}
            field={field}
            minLength={minLength}
            onFilled={setFilled}
          />
          <div className={styles.submit}>
            <ReasonButton type="submit" whyNot={whyNot} loading={busy === 'file'}>
              {isLocked ? t`Unlock` : t`Store in the file`}
            </ReasonButton>
          </div>
        </form>
      )}
    </>
  );
}
