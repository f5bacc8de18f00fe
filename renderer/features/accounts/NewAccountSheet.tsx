/** The sheet for a new account: its type, its addresses, its key, and its probed capabilities. */
import { useRef, useState, type ReactNode, type RefObject } from 'react';
import { Button, Skeleton, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { AccountStart } from '#contract/app/hostMessage.ts';
import type { AccountPreset, AccountProbe } from '#contract/bridge/account.ts';
import { readPairingLink, isPairingCode } from '#contract/app/pairingLink.ts';
import { limits } from '#contract/core/limits.ts';
import { useAccounts } from '../../client/accounts.ts';
import { api, errorText, orpc } from '../../client/transport/orpc.ts';
import { showNewAccount, useOverlays } from '../../state/overlays.ts';
import { announce } from '../../ui/primitives/announce.tsx';
import { Capabilities } from '../../ui/domain/Capabilities.tsx';
import { CreateForm } from '../../ui/form/CreateForm.tsx';
import { FoldedSection, Section } from '../../ui/form/Section.tsx';
import { requiredField } from '../../ui/theme/requiredField.ts';
import { useSchemaForm, type SchemaForm } from '../../ui/form/useSchemaForm.ts';
import { CreateSheet } from '../../ui/form/sheet/CreateSheet.tsx';
import { KeyField, readSecret, takeSecret } from '../../ui/domain/KeyField.tsx';
import { Empty } from '../../ui/primitives/Notice.tsx';
import { intoView } from '../../ui/scroll/intoView.ts';
import panel from '../../ui/theme/panel.module.css';
import { probeFailure, sendFailure, type AccountFailure } from './accountFailure.ts';
import {
  accountForm,
  newAccount,
  pageLinkProblem,
  startedAccount,
  hostsOf,
  toDraft,
  usualName,
  type AccountValues,
} from './accountForm.ts';
import { ScanRow } from './scan/ScanRow.tsx';
import { KeyPlace } from './KeyPlace.tsx';
import styles from './accounts.module.css';
import { ReasonButton } from '../../ui/popover/ReasonButton.tsx';
import { joinSentences } from '../../language/sentences.ts';
import { t } from '../../language/text.ts';

const close = () => showNewAccount(false);

export function NewAccountSheet({ onAdded }: { onAdded: (accountId: string) => void }) {
  const opened = useOverlays((overlays) => overlays.newAccount);
  const start = useOverlays((overlays) => overlays.accountStart);
  const presets = useQuery(orpc.accounts.presets.queryOptions({ enabled: opened, staleTime: Infinity, retry: false }));
  const [first, ...others] = presets.data ?? [];
  return (
    <CreateSheet opened={opened} onClose={close} title={t`Add an account`}>
      {opened && first && (
        <NewAccount
          key={JSON.stringify(start)}
          start={start}
          presets={[first, ...others]}
          onAdded={(accountId, name) => {
            close();
            onAdded(accountId);
            announce(t`Added ${name}`);
          }}
        />
      )}
      {opened && presets.isPending && <Skeleton h={120} radius={8} m={14} w="auto" />}
      {opened && presets.isError && (
        <Empty
          tone="bad"
          title={t`The kinds of accounts could not be read`}
          action={<Button onClick={() => void presets.refetch()}>{t`Try again`}</Button>}
        >
          {errorText(presets.error)}
        </Empty>
      )}
    </CreateSheet>
  );
}

interface NewAccountProps {
  presets: readonly [AccountPreset, ...AccountPreset[]];
  onAdded: (accountId: string, name: string) => void;
  /** Initial values from a link; null for an empty form. */
  start: AccountStart | null;
}

/** A pairing link goes into the first address, so the hint of where to find one stands there; null without links. */
const hintOfAddress = ({ kind, keyHint }: AccountPreset): string | null => (kind === 'cloud' ? null : keyHint);

/** Whether the usual addresses are known, so that a key is all that is needed. */
const hasUsualAddresses = ({ fields, addresses }: AccountPreset): boolean =>
  fields.every(({ area, required }) => !required || addresses[area] !== null);

function NewAccount({ presets, onAdded, start }: NewAccountProps) {
  const taken = (useAccounts() ?? []).map(({ name }) => name);
  const form = useSchemaForm(accountForm(taken), () =>
    start ? startedAccount(start, presets) : newAccount(presets[0]),
  );
  const { values, problems, put } = form;
  const { preset, addresses } = values;
  const keyField = useRef<HTMLInputElement>(null);
  const { busy, probed, problem, probe, add, forget } = useNewAccount(keyField, taken, form, onAdded);

  /** Takes the text of a field. A pairing link is parted into the address and the code. */
  const takeAddress = (area: keyof AccountValues['addresses'], text: string) => {
    forget();
    const link = readPairingLink(text);
    if (link === null) return put({ addresses: { ...addresses, [area]: text === '' ? null : text } });
    // The code takes the place of the key. It is in the field of the key alone, as a key is.
    if (keyField.current !== null) keyField.current.value = link.code;
    return put({ addresses: { ...addresses, [area]: link.address }, hasKey: true, isPairing: true });
  };

  const isUsual = hasUsualAddresses(preset);
  const fields = preset.fields.map(({ area, label, required }, place) => (
    <TextInput
      key={area}
      label={label}
      {...(required && requiredField)}
      description={place === 0 && hintOfAddress(preset)}
      placeholder={t`https://`}
      spellCheck={false}
      autoComplete="off"
      maxLength={limits.accounts.addressLength}
      value={addresses[area] ?? ''}
      error={problems.get(area) ?? pageLinkProblem(addresses[area])}
      {...(preset.kind === 'engine' && {
        inputContainer: (input: ReactNode) => <ScanRow onLink={(link) => takeAddress(area, link)}>{input}</ScanRow>,
      })}
      onChange={({ currentTarget: { value } }) => takeAddress(area, value)}
    />
  ));

  return (
    <CreateForm
      onSubmit={form.submit(() => void add(values))}
      onCancel={close}
      action={preset.kind === 'cloud' ? t`Add this account` : t`Add this engine`}
      isPending={busy === 'add'}
      whyNot={busy === 'probe' ? t`The connection is being tested.` : null}
      failure={problem}
      moreActions={
        <ReasonButton
          variant="default"
          whyNot={
            busy === 'add'
              ? t`The account is being added.`
              : values.isPairing
                ? t`A test would use up the pairing code.`
                : null
          }
          loading={busy === 'probe'}
          onClick={form.submit(() => void probe(values))}
        >{t`Test the connection`}</ReasonButton>
      }
    >
      <div className={styles.fields}>
        <Section title={t`Kind of account`}>
          <Kinds
            presets={presets}
            chosen={preset}
            onChosen={(each) => {
              forget();
              put({ preset: each, addresses: each.addresses });
            }}
          />
        </Section>
        <Section title={isUsual ? t`Key and name` : t`Address, key and name`}>
          {!isUsual && fields}
          <KeyField
            label={t`API key`}
            isRequired
            description={hintOfAddress(preset) === null ? preset.keyHint : t`Not needed with a pairing link.`}
            field={keyField}
            error={problems.get('key') ?? null}
            onFilled={(hasKey) => put({ hasKey, isPairing: hasKey && isPairingCode(readSecret(keyField)) })}
          />
          <p className={panel.hint} role="status">
            {values.isPairing
              ? t`A pairing link: Hangar creates its own key on that computer. The link works once, so the connection cannot be tested first.`
              : t`Hangar tests it with calls that change nothing.`}
          </p>
          <KeyPlace />
          {probed && (
            <div ref={intoView} role="status">
              <Capabilities capabilities={probed.capabilities} lacks={probed.lacks} />
            </div>
          )}
          <TextInput
            label={t`Name`}
            placeholder={usualName(preset, addresses, taken) ?? t`The name of that computer`}
            maxLength={limits.accounts.nameLength}
            value={values.name}
            error={problems.get('name')}
            onChange={(event) => put({ name: event.currentTarget.value })}
          />
        </Section>
        {isUsual && (
          <FoldedSection
            key={preset.id}
            title={t`Addresses`}
            summary={hostsOf(addresses)}
            // A link may bring others than the usual ones. Who types a key must see them.
            startsOpen={JSON.stringify(addresses) !== JSON.stringify(preset.addresses)}
            hasProblem={preset.fields.some(({ area }) => problems.has(area))}
          >
            {fields}
          </FoldedSection>
        )}
      </div>
    </CreateForm>
  );
}

interface KindsProps {
  presets: readonly AccountPreset[];
  chosen: AccountPreset;
  onChosen: (preset: AccountPreset) => void;
}

function Kinds({ presets, chosen, onChosen }: KindsProps) {
  return (
    <div className={styles.presets} role="radiogroup" aria-label={t`Kind of account`}>
      {presets.map((each) => (
        <label key={each.id}>
          <input
            type="radio"
            name="preset"
            checked={each.id === chosen.id}
            aria-label={each.title}
            onChange={() => onChosen(each)}
          />
          <b>{each.title}</b>
          <span>{each.about}</span>
        </label>
      ))}
    </div>
  );
}

/** The address that a failure of the connection is shown at. */
const firstOf = ({ preset, addresses }: AccountValues): string | null => {
  const [first] = preset.fields;
  return first === undefined ? null : addresses[first.area];
};

/** Probes and adds an account. It does not use mutations, because a mutation keeps its variables: here the key. */
function useNewAccount(
  keyField: RefObject<HTMLInputElement | null>,
  taken: readonly string[],
  form: SchemaForm<AccountValues>,
  onAdded: NewAccountProps['onAdded'],
) {
  const [busy, setBusy] = useState<'probe' | 'add' | null>(null);
  const [probed, setProbed] = useState<AccountProbe | null>(null);
  const [problem, setProblem] = useState<{ title: string; text: string } | null>(null);
  const forget = () => {
    setProbed(null);
    setProblem(null);
  };
  /** Shows a failure at the field that it is about, which gets the focus. */
  const fail = (title: string, { field, text }: AccountFailure) => {
    if (field === null) setProblem({ title, text });
    else form.refuse(new Map([[field, text]]));
  };
  const probe = async (values: AccountValues) => {
    forget();
    setBusy('probe');
    try {
      const answer = await api.accounts.probe({ draft: toDraft(values, readSecret(keyField), taken) });
      const failure = probeFailure(values.preset, firstOf(values), answer);
      if (failure === null) setProbed(answer);
      else fail(t`The test failed.`, failure);
    } catch (error) {
      fail(t`Not tested.`, sendFailure(values.preset, firstOf(values), error, values.isPairing));
    }
    setBusy(null);
  };
  const add = async (values: AccountValues) => {
    forget();
    setBusy('add');
    try {
      const account = await api.accounts.add({ draft: toDraft(values, readSecret(keyField), taken) });
      takeSecret(keyField);
      onAdded(account.id, account.name);
    } catch (error) {
      setBusy(null);
      const { field, text } = sendFailure(values.preset, firstOf(values), error, values.isPairing);
      fail(t`Not added.`, { field, text: joinSentences(text, t`Nothing was saved.`) });
    }
  };
  return { busy, probed, problem, probe, add, forget };
}
