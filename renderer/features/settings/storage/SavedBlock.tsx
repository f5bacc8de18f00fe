/** What was saved in the window, with its sizes: copied, and removed. */
import { useState } from 'react';
import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Copy, Trash2 } from 'lucide-react';
import { savedLimits, type SavedKind, type SavedRef, type SavedSummary } from '#contract/app/saved/document.ts';
import { useKnownAccounts } from '../../../client/accounts.ts';
import { useAway } from '../../../client/away.ts';
import { api, errorText } from '../../../client/transport/orpc.ts';
import { useSubscription } from '../../../client/transport/subscription.ts';
import { copyWhenRead } from '../../../ui/clipboard/copyText.ts';
import { announce } from '../../../ui/primitives/announce.tsx';
import { ConfirmDialog } from '../../../ui/primitives/ConfirmDialog.tsx';
import { Fact, Facts } from '../../../ui/primitives/DescriptionList.tsx';
import { Notice } from '../../../ui/primitives/Notice.tsx';
import { PlainTable } from '../../../ui/primitives/PlainTable.tsx';
import { RowMenu } from '../../../ui/primitives/RowMenu.tsx';
import { useNow } from '../../../ui/primitives/useNow.ts';
import { SavedState } from '../../../ui/saved/SavedState.tsx';
import { accountTitle } from '../../../ui/text/accountName.ts';
import { formatAgo, formatBytes, formatCount, formatMoment } from '../../../ui/text/format.ts';
import styles from '../settings.module.css';
import { counted, t } from '../../../language/text.ts';

const TICK_MS = 30_000;
/** More are shown on a click. */
const SHOWN = 20;

interface Row extends SavedSummary {
  endpointName: string | null;
}

const kindNames: Record<SavedKind, string> = {
  input: t`Saved input`,
  filter: t`Saved filter of Jobs`,
  schema: t`Schema of inputs`,
  chat: t`Conversation`,
  'chat-options': t`Chat options`,
};

const isSamePlace = (one: SavedRef, other: SavedRef): boolean =>
  one.kind === other.kind && one.accountId === other.accountId && one.endpointId === other.endpointId;

/** Whether a person gave it its name; the title of another one says its kind. */
const isNamed = ({ kind }: Row): boolean => kind === 'input' || kind === 'filter';

/** Names of people first; a conversation has an id, and an only document has no name. */
const titleOf = ({ kind, name, savedAt }: Row): string =>
  kind === 'chat'
    ? t`Conversation of ${formatMoment(savedAt)}`
    : kind === 'schema' || kind === 'chat-options'
      ? `${kindNames[kind]} ${name}`.trim()
      : name || kindNames[kind];

interface Reading {
  rows: readonly Row[] | null;
  problem: string | null;
}

function useSavedList(): Reading {
  const [reading, setReading] = useState<Reading>({ rows: null, problem: null });
  useSubscription<Row[]>({
    key: 'saved-list',
    ends: 'never',
    open: (signal) => Promise.resolve(readList(signal, (problem) => setReading((now) => ({ ...now, problem })))),
    onEvent: (rows) => setReading({ rows, problem: null }),
  });
  return reading;
}

async function* readList(signal: AbortSignal, fail: (problem: string) => void): AsyncGenerator<Row[], void, void> {
  try {
    yield* await api.saved.list(undefined, { signal });
  } catch (error) {
    if (!signal.aborted) fail(errorText(error));
    throw error;
  }
}

export function SavedBlock() {
  const { rows, problem } = useSavedList();
  const away = useAway('app');
  const [question, setQuestion] = useState<readonly Row[] | null>(null);
  const remove = useMutation({
    mutationFn: (chosen: readonly Row[]) =>
      api.saved.remove({
        documents: chosen.map(({ kind, accountId, endpointId, name }) => ({ kind, accountId, endpointId, name })),
      }),
    onSuccess: () => {
      setQuestion(null);
      announce(t`Removed`);
    },
  });
  const isLoading = rows === null && problem === null && away === null;
  const total = rows?.reduce((sum, { bytes }) => sum + bytes, 0) ?? 0;
  return (
    <section className={styles.block} aria-labelledby="saved" aria-busy={isLoading || undefined}>
      <h2 id="saved">{t`Saved in the window`}</h2>
      <p>{t`Inputs, filters, schemas and chats. Every browser that is paired with this Hangar shows them, and exports include them.`}</p>
      <div className={styles.savedState}>
        <SavedState isRead={rows !== null} readProblem={problem} />
      </div>
      {rows !== null && (
        <Facts>
          <Fact name={t`Saved`}>
            {rows.length === 0
              ? t`nothing yet`
              : counted(rows.length, '{0} document', '{0} documents', formatCount(rows.length))}
          </Fact>
          <Fact name={t`Size`}>{t`${formatBytes(total)} of at most ${formatBytes(savedLimits.totalBytes)}`}</Fact>
        </Facts>
      )}
      {rows !== null && rows.length > 0 && (
        <SavedTable
          rows={rows}
          onRemove={(chosen) => {
            remove.reset();
            setQuestion(chosen);
          }}
        />
      )}
      <ConfirmDialog
        opened={question !== null}
        onClose={() => setQuestion(null)}
        title={counted(
          question?.length ?? 0,
          'Remove {0} saved document?',
          'Remove {0} saved documents?',
          formatCount(question?.length ?? 0),
        )}
        action={t`Remove`}
        busy={remove.isPending}
        problem={remove.isError ? errorText(remove.error) : null}
        onConfirm={() => question !== null && remove.mutate(question)}
      >
        <p>{t`This cannot be undone. It is removed for every browser:`}</p>
        <ul>
          {question?.slice(0, SHOWN).map((row) => (
            <li key={row.name}>{titleOf(row)}</li>
          ))}
          {question !== null && question.length > SHOWN && (
            <li>{t`and ${formatCount(question.length - SHOWN)} more`}</li>
          )}
        </ul>
      </ConfirmDialog>
    </section>
  );
}

function SavedTable({ rows, onRemove }: { rows: readonly Row[]; onRemove: (rows: readonly Row[]) => void }) {
  const now = useNow(TICK_MS);
  const accounts = useKnownAccounts();
  const [isWhole, setWhole] = useState(false);
  const copy = useMutation({
    mutationFn: ({ kind, accountId, endpointId, name }: Row) => {
      const reading = api.saved.read({ kind, accountId, endpointId, name });
      return copyWhenRead(reading.then(({ text }) => ({ text, done: t`Copied the text` })));
    },
  });
  const placeOf = ({ accountId, endpointId, endpointName }: Row): string => {
    const account = accounts?.find(({ id }) => id === accountId);
    return [endpointName ?? endpointId, accountTitle(accountId, account?.name ?? accountId)].join(' · ');
  };
  return (
    <>
      {copy.isError && (
        <Notice tone="bad" title={t`Not copied.`}>
          {errorText(copy.error)}
        </Notice>
      )}
      <div className={styles.tableScroll}>
        <PlainTable
          label={t`Saved in the window`}
          className={`${styles.table} ${styles.places}`}
          rows={isWhole ? rows : rows.slice(0, SHOWN)}
          keyOf={({ kind, accountId, endpointId, name }) => JSON.stringify([kind, accountId, endpointId, name])}
          columns={[
            {
              title: t`Name`,
              isHeader: true,
              cell: (row) => (
                <>
                  {titleOf(row)}
                  <span>
                    {[isNamed(row) && kindNames[row.kind], row.accountId !== '' && placeOf(row)]
                      .filter(Boolean)
                      .join(' · ')}
                  </span>
                </>
              ),
            },
            {
              title: t`When`,
              needs: 'medium',
              hint: ({ savedAt }) => formatMoment(savedAt),
              cell: ({ savedAt }) => formatAgo(savedAt, now),
            },
            { title: t`Size`, isNumber: true, cell: ({ bytes }) => formatBytes(bytes) },
            {
              title: t`Actions`,
              isTitleHidden: true,
              cell: (row) => {
                const alike = rows.filter((one) => isSamePlace(one, row));
                return (
                  <RowMenu
                    name={titleOf(row)}
                    inPalette={false}
                    items={[
                      { label: t`Copy the text`, icon: Copy, onClick: () => copy.mutate(row) },
                      { label: t`Remove…`, icon: Trash2, onClick: () => onRemove([row]) },
                      ...(alike.length > 1
                        ? [
                            {
                              label: t`Remove all ${formatCount(alike.length)} of its kind here…`,
                              icon: Trash2,
                              onClick: () => onRemove(alike),
                            },
                          ]
                        : []),
                    ]}
                  />
                );
              },
            },
          ]}
        />
      </div>
      {rows.length > SHOWN && !isWhole && (
        <div className={styles.actions}>
          <Button size="xs" variant="default" onClick={() => setWhole(true)}>
            {t`Show all ${formatCount(rows.length)}`}
          </Button>
        </div>
      )}
    </>
  );
}
