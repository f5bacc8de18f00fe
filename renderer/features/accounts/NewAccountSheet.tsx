/** The sheet that adds an account: what kind, where it is, its key, and what it could do. */
import { useRef, useState } from 'react';
import { Button, Drawer, Skeleton, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { AccountDraft, AccountPreset, AccountProbe } from '#contract/bridge/account.ts';
import { limits } from '#contract/core/limits.ts';
import { api, errorText, orpc } from '../../client/transport/orpc.ts';
import { showNewAccount, useOverlays } from '../../state/overlays.ts';
import { announce } from '../../ui/primitives/announce.tsx';
import { Capabilities } from '../../ui/domain/Capabilities.tsx';
import form from '../../ui/form/form.module.css';
import { Section } from '../../ui/form/Section.tsx';
import sheet from '../../ui/form/sheet.module.css';
import { KeyField, readSecret, takeSecret } from '../../ui/domain/KeyField.tsx';
import { Empty, Notice } from '../../ui/primitives/Notice.tsx';
import styles from './accounts.module.css';

const close = () => showNewAccount(false);

export function NewAccountSheet({ onAdded }: { onAdded: (accountId: string) => void }) {
  const opened = useOverlays((overlays) => overlays.newAccount);
  const presets = useQuery(orpc.accounts.presets.queryOptions({ enabled: opened, staleTime: Infinity, retry: false }));
  return (
    <Drawer
      opened={opened}
      onClose={close}
      position="right"
      size={560}
      title="Add an account"
      classNames={{ content: sheet.sheet ?? '', header: sheet.head ?? '', body: sheet.body ?? '' }}
    >
      {opened && presets.data && (
        <NewAccount
          presets={presets.data}
          onAdded={(accountId, name) => {
            close();
            onAdded(accountId);
            announce(`Added ${name}`);
          }}
        />
      )}
      {opened && presets.isPending && <Skeleton h={120} radius={8} m={14} w="auto" />}
      {opened && presets.isError && (
        <Empty
          title="The kinds of accounts could not be read"
          action={<Button onClick={() => void presets.refetch()}>Try again</Button>}
        >
          {errorText(presets.error)}
        </Empty>
      )}
    </Drawer>
  );
}

type Addresses = AccountDraft['addresses'];
type Busy = 'probe' | 'add';

interface NewAccountProps {
  presets: readonly AccountPreset[];
  onAdded: (accountId: string, name: string) => void;
}

function NewAccount({ presets, onAdded }: NewAccountProps) {
  const [first] = presets;
  const [preset, setPreset] = useState(first);
  const [name, setName] = useState('');
  const [addresses, setAddresses] = useState<Addresses>(
    first?.addresses ?? { jobs: null, management: null, graphql: null },
  );
  const [filled, setFilled] = useState(false);
  const [busy, setBusy] = useState<Busy | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [found, setFound] = useState<AccountProbe | null>(null);
  const field = useRef<HTMLInputElement>(null);
  if (preset === undefined) return null;

  const changed = () => {
    setFound(null);
    setProblem(null);
  };
  const choose = (chosen: AccountPreset) => {
    changed();
    setPreset(chosen);
    setAddresses(chosen.addresses);
  };
  const calledSo = name.trim() === '' ? preset.title : name.trim();
  const missing = preset.fields.find(({ area, required }) => required && (addresses[area] ?? '').trim() === '');
  const ready = missing === undefined && filled && busy === null;
  const draftWith = (key: string): AccountDraft => ({ preset: preset.id, name: calledSo, addresses, key });

  // Not mutations: what those are given is kept.
  const probe = async () => {
    setBusy('probe');
    changed();
    try {
      setFound(await api.accounts.probe({ draft: draftWith(readSecret(field)) }));
    } catch (error) {
      setProblem(errorText(error));
    }
    setBusy(null);
  };
  const add = async () => {
    setBusy('add');
    setProblem(null);
    setFilled(false);
    try {
      const account = await api.accounts.add({ draft: draftWith(takeSecret(field)) });
      onAdded(account.id, account.name);
    } catch (error) {
      setProblem(`${errorText(error)} Nothing was kept; type the key again to try again.`);
      setBusy(null);
    }
  };

  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (ready) void add();
      }}
    >
      <div className={styles.fields}>
        <Section title="What kind">
          <div className={styles.presets} role="radiogroup" aria-label="What kind">
            {presets.map((each) => (
              <label key={each.id}>
                <input
                  type="radio"
                  name="preset"
                  checked={each.id === preset.id}
                  aria-label={each.title}
                  onChange={() => choose(each)}
                />
                <b>{each.title}</b>
                <span>{each.about}</span>
              </label>
            ))}
          </div>
        </Section>
        <Section title="Name and addresses">
          <TextInput
            label="Name"
            placeholder={preset.title}
            maxLength={limits.accounts.nameLength}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          {preset.fields.map(({ area, label, required }) => (
            <TextInput
              key={area}
              label={required ? label : `${label} (may be left out)`}
              placeholder="https://"
              spellCheck={false}
              autoComplete="off"
              maxLength={limits.accounts.addressLength}
              value={addresses[area] ?? ''}
              onChange={({ currentTarget: { value } }) => {
                changed();
                setAddresses((before) => ({ ...before, [area]: value === '' ? null : value }));
              }}
            />
          ))}
        </Section>
        <Section title="Key">
          <KeyField label="API key" description={preset.keyHint} field={field} onFilled={setFilled} />
          {found && (
            <div role="status">
              {found.state === 'ok' ? (
                <Capabilities capabilities={found.capabilities} lacks={found.lacks} />
              ) : (
                <Notice tone="bad" title="It does not work so.">
                  {found.reason}
                </Notice>
              )}
            </div>
          )}
        </Section>
      </div>
      {problem !== null && (
        <Notice tone="bad" title="Not done.">
          {problem}
        </Notice>
      )}
      <footer className={form.formFoot}>
        <span>
          {missing === undefined ? 'It is tried with calls that change nothing.' : `${missing.label} is missing.`}
        </span>
        <Button variant="default" disabled={!ready} loading={busy === 'probe'} onClick={() => void probe()}>
          Look what works
        </Button>
        <Button type="submit" disabled={!ready} loading={busy === 'add'}>
          Add {preset.kind === 'cloud' ? 'this account' : 'this engine'}
        </Button>
      </footer>
    </form>
  );
}
