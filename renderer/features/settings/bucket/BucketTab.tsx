/** The bucket that takes files which are too large for a request: its service, its key, and its check. */
import { useRef, useState, type RefObject } from 'react';
import { Button, NumberInput, Skeleton, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { bucketSettingsSchema, type BucketCheck, type BucketSettings, type BucketState } from '#contract/app/bucket.ts';
import { limits } from '#contract/core/limits.ts';
import { api, errorText, orpc } from '../../../client/transport/orpc.ts';
import { useCommands } from '../../../state/commands.ts';
import { announce } from '../../../ui/primitives/announce.tsx';
import { ConfirmDialog } from '../../../ui/primitives/ConfirmDialog.tsx';
import { requiredField } from '../../../ui/theme/requiredField.ts';
import { KeyField, readSecret, takeSecret } from '../../../ui/domain/KeyField.tsx';
import { LoadError } from '../../../ui/domain/LoadError.tsx';
import { Notice } from '../../../ui/primitives/Notice.tsx';
import { keyPlaces } from '../../../ui/text/keyLabels.ts';
import { createFormDrafts, useDraft } from '../../../ui/form/formDrafts.ts';
import styles from '../settings.module.css';
import { UploadsBlock } from './UploadsBlock.tsx';
import { t } from '../../../language/text.ts';

export function BucketTab() {
  const queries = useQueryClient();
  const options = orpc.bucket.state.queryOptions({ retry: false });
  const { data, isError, error, refetch } = useQuery(options);
  if (!data && isError) {
    return (
      <LoadError
        source="app"
        title={t`The settings of the bucket could not be read`}
        problem={errorText(error)}
        retry={() => void refetch()}
      />
    );
  }
  return (
    <div className={styles.body} tabIndex={0} role="region" aria-label={t`Bucket`}>
      <section className={styles.block} aria-labelledby="bucket">
        <h2 id="bucket">{t`Bucket for large inputs`}</h2>
        <p>{t`Files that are too large for a request are uploaded to your bucket, and the input gets links to them. Any S3-compatible service works: AWS S3, Cloudflare R2, Backblaze B2, MinIO. Hangar does not remove anything from the bucket automatically.`}</p>
        {data ? (
          <BucketForm state={data} onState={(state) => queries.setQueryData(options.queryKey, state)} />
        ) : (
          <Skeleton h={160} m={14} radius={6} w="auto" />
        )}
      </section>
      {data && data.settings !== null && <UploadsBlock key={placeOf(data.settings)} />}
    </div>
  );
}

/** Another bucket has other files. */
const placeOf = ({ endpoint, bucket }: BucketSettings): string => `${endpoint} ${bucket}`;

type Draft = { [Name in keyof BucketSettings]: string };

const draftOf = (settings: BucketSettings | null): Draft => ({
  endpoint: settings?.endpoint ?? '',
  region: settings?.region ?? '',
  bucket: settings?.bucket ?? '',
  folder: settings?.folder ?? '',
  accessKeyId: settings?.accessKeyId ?? '',
  linkHours: String(settings?.linkHours ?? limits.bucket.linkHours.default),
});

const { linkHours: hours } = limits.bucket;

const fields: readonly { name: keyof Draft; label: string; description: string; placeholder: string }[] = [
  {
    name: 'endpoint',
    label: t`Address`,
    description: t`Of the service (its "endpoint"), without the bucket`,
    placeholder: 'https://s3.example.com',
  },
  {
    name: 'region',
    label: t`Region`,
    description: t`Enter "auto" if the service has no regions`,
    placeholder: 'eu-central-1',
  },
  { name: 'bucket', label: t`Bucket`, description: t`Its name`, placeholder: 'my-inputs' },
  { name: 'folder', label: t`Folder`, description: t`Before the name of each file`, placeholder: 'hangar' },
  { name: 'accessKeyId', label: t`Access key id`, description: t`The public part of the key`, placeholder: 'AKIA…' },
];

/** The contract says what is wrong after the name of the field. */
const sentence = (message: string): string =>
  `${message.charAt(0).toUpperCase()}${message.slice(1).replace(/\.$/, '')}.`;

interface BucketFormProps {
  state: BucketState;
  onState: (state: BucketState) => void;
}

/** Without the secret, which stays in its field. */
const bucketDrafts = createFormDrafts<Draft>();

function BucketForm({ state, onState }: BucketFormProps) {
  const { settings, keptIn } = state;
  const [draft, setDraft] = useDraft(bucketDrafts, '', draftOf(settings));
  const [wrong, setWrong] = useState<Readonly<Partial<Record<string, string>>>>({});
  const [isFilled, setFilled] = useState(false);
  const [busy, setBusy] = useState<'check' | 'forget' | null>(null);
  const [refused, setRefused] = useState<string | null>(null);
  const [checked, setChecked] = useState<BucketCheck | null>(null);
  const [asksToForget, setAsksToForget] = useState(false);
  const secret = useRef<HTMLInputElement>(null);
  const isChanged = isFilled || JSON.stringify(draft) !== JSON.stringify(draftOf(settings));
  const isReady = settings !== null && keptIn !== null;

  // Not mutations, because a mutation keeps its variables: here the secret.
  const ask = async (what: 'check' | 'forget', call: () => Promise<void>) => {
    setBusy(what);
    setRefused(null);
    setChecked(null);
    try {
      await call();
    } catch (failure) {
      setRefused(errorText(failure));
    }
    setBusy(null);
  };
  const check = async () => {
    const result = await api.bucket.check();
    setChecked(result);
    announce(result.problem ?? t`The bucket works`);
  };
  const saveAndCheck = () => {
    const read = bucketSettingsSchema.safeParse({ ...draft, linkHours: Number(draft.linkHours) });
    const faults = read.success
      ? {}
      : Object.fromEntries(read.error.issues.map(({ path, message }) => [String(path[0]), sentence(message)]));
    const typed = readSecret(secret);
    const lacksSecret = keptIn === null && typed === '';
    setWrong(lacksSecret ? { ...faults, secret: t`Enter the secret key.` } : faults);
    if (!read.success || lacksSecret) return;
    void ask('check', async () => {
      if (isChanged || !isReady) {
        const next = await api.bucket.save({ settings: read.data, secret: typed === '' ? null : typed });
        takeSecret(secret);
        setFilled(false);
        setDraft(draftOf(next.settings));
        onState(next);
      }
      await check();
    });
  };
  const forget = () =>
    void ask('forget', async () => {
      const next = await api.bucket.forget();
      setAsksToForget(false);
      setDraft(draftOf(next.settings));
      onState(next);
    });
  useCommands([
    { label: isChanged || !isReady ? t`Save and check the bucket` : t`Check the bucket`, run: saveAndCheck },
  ]);

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        saveAndCheck();
      }}
    >
      <BucketFields
        draft={draft}
        wrong={wrong}
        keptIn={keptIn}
        secret={secret}
        onFilled={setFilled}
        onDraft={(fields) => setDraft({ ...draft, ...fields })}
      />
      {refused !== null && (
        <Notice tone="bad" title={t`Not done.`}>
          {refused}
        </Notice>
      )}
      {checked !== null && <Checked check={checked} />}
      <div className={styles.actions}>
        <Button type="submit" loading={busy === 'check'}>
          {isChanged || !isReady ? t`Save and check` : t`Check`}
        </Button>
        {settings !== null && (
          <Button variant="default" onClick={() => setAsksToForget(true)}>{t`Forget the bucket…`}</Button>
        )}
      </div>
      <ConfirmDialog
        opened={asksToForget}
        onClose={() => setAsksToForget(false)}
        title={t`Forget the bucket?`}
        action={t`Forget it`}
        busy={busy === 'forget'}
        problem={refused}
        onConfirm={forget}
      >
        {t`Hangar forgets these settings and the secret. The files in the bucket stay, and their links work until they expire.`}
      </ConfirmDialog>
    </form>
  );
}

interface BucketFieldsProps {
  draft: Draft;
  /** By field: why its value was not taken. */
  wrong: Readonly<Partial<Record<string, string>>>;
  keptIn: BucketState['keptIn'];
  secret: RefObject<HTMLInputElement | null>;
  onFilled: (isFilled: boolean) => void;
  onDraft: (fields: Partial<Draft>) => void;
}

function BucketFields({ draft, wrong, keptIn, secret, onFilled, onDraft }: BucketFieldsProps) {
  return (
    <div className={styles.fields}>
      {fields.map(({ name, label, description, placeholder }) => (
        <TextInput
          key={name}
          label={label}
          {...(name !== 'folder' && requiredField)}
          description={description}
          placeholder={placeholder}
          value={draft[name]}
          error={wrong[name] ?? null}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => onDraft({ [name]: event.currentTarget.value })}
        />
      ))}
      <KeyField
        label={t`Secret access key`}
        isRequired={keptIn === null}
        description={
          keptIn === null ? t`Stored like the keys of accounts` : t`Stored ${keyPlaces[keptIn]}; empty keeps it`
        }
        field={secret}
        error={wrong['secret'] ?? null}
        onFilled={onFilled}
      />
      <NumberInput
        label={t`Links are valid for`}
        description={t`${hours.min} to ${hours.max} hours; S3 allows 7 days`}
        hideControls
        suffix={` ${t`hours`}`}
        value={draft.linkHours}
        error={wrong['linkHours'] ?? null}
        onChange={(value) => onDraft({ linkHours: String(value) })}
      />
    </div>
  );
}

function Checked({ check: { problem, warning } }: { check: BucketCheck }) {
  if (problem !== null) {
    return (
      <Notice tone="bad" title={t`Hangar cannot use this bucket.`}>
        {problem}
      </Notice>
    );
  }
  return warning === null ? (
    <Notice
      tone="off"
      title={t`The bucket works.`}
    >{t`A small file was written, read by its link, and removed.`}</Notice>
  ) : (
    <Notice tone="wait" title={t`Files can be uploaded and read, but not removed.`}>
      {warning}
    </Notice>
  );
}
