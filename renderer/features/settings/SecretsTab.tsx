/** Where the keys of accounts are kept: in the system's keychain, in a file with a passphrase, or in memory until Hangar ends. */
import { useRef, useState } from 'react';
import { Button, Group, Skeleton } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { limits } from '#contract/core/limits.ts';
import type { SecretsState } from '#contract/bridge/secrets.ts';
import type { SecretKind } from '#contract/app/secretKind.ts';
import { api, errorText, orpc } from '../../client/transport/orpc.ts';
import { useSubscription } from '../../client/transport/subscription.ts';
import { announce } from '../../ui/primitives/announce.tsx';
import { Fact, Facts } from '../../ui/primitives/DescriptionList.tsx';
import { formatCount } from '../../ui/text/format.ts';
import { Id } from '../../ui/primitives/Id.tsx';
import { KeyField, takeSecret } from '../../ui/domain/KeyField.tsx';
import { Empty, Notice } from '../../ui/primitives/Notice.tsx';
import { GiveUp } from './secrets/GiveUp.tsx';
import { PassphraseForm } from './secrets/PassphraseForm.tsx';
import styles from './settings.module.css';

const words: Record<SecretKind, { title: string; text: string }> = {
  keychain: { title: 'The keychain of the system', text: 'One entry for each account; the system guards it.' },
  file: {
    title: 'An encrypted file',
    text: 'Below the data folder, opened by a passphrase at each start. Nobody can read it without.',
  },
  memory: { title: 'Memory', text: 'Keys are gone when Hangar ends, and have to be typed again.' },
};

export function SecretsTab() {
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
      <Empty
        title="It is not known where keys are kept"
        action={<Button onClick={() => void refetch()}>Try again</Button>}
      >
        {errorText(error)}
      </Empty>
    );
  }
  return (
    <div className={styles.body}>
      <section className={styles.block} aria-labelledby="secrets">
        <h2 id="secrets">Where keys are kept</h2>
        <p>Never in plain text, never in this page, and never in a log.</p>
        {data ? <Kept state={data} onState={know} /> : <Skeleton h={40} m={14} radius={6} w="auto" />}
      </section>
      {data?.kind === 'file' && data.problem === null && <PassphraseForm onState={know} />}
      {data && data.problem !== null && <GiveUp state={data} onState={know} />}
    </div>
  );
}

function Kept({ state, onState }: { state: SecretsState; onState: (state: SecretsState) => void }) {
  const { kind, chosen, problem, keychainProblem, filePath, fileExists, entries } = state;
  const field = useRef<HTMLInputElement>(null);
  const [filled, setFilled] = useState(false);
  const [busy, setBusy] = useState<string | null>(null);
  const [refused, setRefused] = useState<string | null>(null);
  const isLocked = kind === 'file' && problem?.trouble === 'locked';

  // Not mutations: what those are given is kept.
  const ask = async (what: string, call: () => Promise<SecretsState>) => {
    setBusy(what);
    setRefused(null);
    setFilled(false);
    try {
      onState(await call());
      announce('Done');
    } catch (failure) {
      setRefused(errorText(failure));
    }
    setBusy(null);
  };
  const move = (to: SecretKind) => ask(to, () => api.secrets.choose({ kind: to }));

  return (
    <>
      <Facts>
        <Fact name="Now">
          {words[kind].title}. {words[kind].text}
        </Fact>
        <Fact name="Entries">{formatCount(entries)}</Fact>
        <Fact name="File">
          <Id text={filePath} what="path of the encrypted file" />
          {!fileExists && ' not there'}
        </Fact>
        {keychainProblem !== null && <Fact name="Keychain">{keychainProblem.reason}</Fact>}
      </Facts>
      {problem !== null && (
        <Notice tone={isLocked ? 'wait' : 'bad'} title={isLocked ? 'The file is locked.' : 'Keys cannot be read now.'}>
          {problem.reason}
        </Notice>
      )}
      {problem === null && kind === 'memory' && !chosen && (
        <Notice tone="wait" title="Keys end with this run.">
          There is no keychain that can be used. Choose the encrypted file to keep them.
        </Notice>
      )}
      {refused !== null && (
        <Notice tone="bad" title="Not done.">
          {refused}
        </Notice>
      )}
      <Group gap={8} px={14} pt={10}>
        {kind !== 'keychain' && keychainProblem === null && (
          <Button size="xs" variant="default" loading={busy === 'keychain'} onClick={() => void move('keychain')}>
            Keep them in the keychain
          </Button>
        )}
        {keychainProblem !== null && (
          <Button
            size="xs"
            variant="default"
            loading={busy === 'check'}
            onClick={() => void ask('check', () => api.secrets.check())}
          >
            Look for the keychain again
          </Button>
        )}
        {(kind !== 'memory' || !chosen) && (
          <Button size="xs" variant="default" loading={busy === 'memory'} onClick={() => void move('memory')}>
            Keep them in memory alone
          </Button>
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
            label={isLocked || fileExists ? 'Passphrase of the file' : 'A passphrase for the file'}
            description={
              isLocked || fileExists
                ? 'The one it was made with'
                : `At least ${limits.secrets.passphraseLength.min} characters`
            }
            field={field}
            onFilled={setFilled}
          />
          <div className={styles.submit}>
            <Button type="submit" disabled={!filled} loading={busy === 'file'}>
              {isLocked ? 'Unlock' : 'Keep them in the file'}
            </Button>
          </div>
        </form>
      )}
    </>
  );
}
