/** The SSH server of an engine into its Pods: its port, and the keys that may sign in to all of them. */
import { useState } from 'react';
import { Button, NumberInput, Skeleton, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { THIS_MACHINE } from '#contract/app/account.ts';
import type { SshServerFacts, SshSettingsChange } from '#contract/local/ssh/podSsh.ts';
import { useTarget } from '../../client/accounts.ts';
import { api, errorText, orpc } from '../../client/transport/orpc.ts';
import { t } from '../../language/text.ts';
import { LoadError } from '../../ui/domain/LoadError.tsx';
import { ReasonButton } from '../../ui/popover/ReasonButton.tsx';
import { announce } from '../../ui/primitives/announce.tsx';
import { Notice } from '../../ui/primitives/Notice.tsx';
import { PlainTable } from '../../ui/primitives/PlainTable.tsx';
import { fieldProblem } from '../../ui/text/fieldLabels.ts';
import styles from './settings.module.css';

/** The server of the target if it is an engine; otherwise of this computer. */
export function PodSshBlock() {
  const { account, accountId, name } = useTarget();
  if (account === null) return null;
  const isEngine = account.capabilities.includes('local');
  const [id, shownName] = isEngine ? [accountId, name] : [THIS_MACHINE, t`this computer`];
  return (
    <section className={styles.block} aria-labelledby="pod-ssh">
      <h2 id="pod-ssh">{t`SSH into Pods of ${shownName}`}</h2>
      <Server key={id} accountId={id} />
    </section>
  );
}

/** `field`: what is changed, beside which a refusal is shown. */
interface Edit {
  field: 'port' | 'newKey' | 'keys';
  change: SshSettingsChange;
}

function useServer(accountId: string) {
  const queries = useQueryClient();
  const options = orpc.machine.sshServer.queryOptions({ input: { accountId }, retry: false });
  const query = useQuery(options);
  const saving = useMutation({
    mutationFn: ({ change }: Edit) => api.machine.changeSshServer({ accountId, change }),
    onSuccess: (server) => {
      queries.setQueryData(options.queryKey, server);
      announce(t`Saved`);
    },
  });
  const errorOf = (field: Edit['field']): string | null =>
    saving.isError && saving.variables.field === field ? fieldProblem(errorText(saving.error)) : null;
  return { query, saving, errorOf };
}

function Server({ accountId }: { accountId: string }) {
  const { query, saving, errorOf } = useServer(accountId);
  const { data: server } = query;
  if (!server && query.isError) {
    return (
      <LoadError
        source={{ accountId }}
        title={t`The SSH server could not be read`}
        problem={errorText(query.error)}
        retry={() => void query.refetch()}
      />
    );
  }
  if (!server) {
    return (
      <div className={styles.actions} aria-busy="true">
        <Skeleton h={10} w={280} radius={4} />
      </div>
    );
  }
  const lines = server.keys.map(({ line }) => line);
  return (
    <>
      <p role="status">{stateOf(server)}</p>
      <Port
        server={server}
        problem={errorOf('port') ?? server.problem}
        isSaving={saving.isPending && saving.variables.field === 'port'}
        save={(port) => saving.mutate({ field: 'port', change: { port } })}
      />
      {server.notice !== null && (
        <Notice tone="wait" title={t`Not the usual port.`}>
          {server.notice}
        </Notice>
      )}
      <Keys
        keys={server.keys}
        problem={errorOf('keys')}
        remove={(line) => saving.mutate({ field: 'keys', change: { keys: lines.filter((other) => other !== line) } })}
      />
      <NewKey
        problem={errorOf('newKey')}
        isSaving={saving.isPending}
        add={(line, onSaved) => {
          const keys = [...new Set([...lines, line])];
          saving.mutate({ field: 'newKey', change: { keys } }, { onSuccess: onSaved });
        }}
      />
    </>
  );
}

function stateOf({ host, port, chosenPort, problem }: SshServerFacts): string {
  if (port !== null) {
    return chosenPort === null
      ? t`The server listens at ${host}:${port}. Another port ends the connections that are open.`
      : t`The server listens at ${host}:${port}, the chosen port. Another port ends the connections that are open.`;
  }
  return problem === null
    ? t`The server is closed. It listens once a Pod runs that a key may sign in to.`
    : t`The server is closed: it cannot listen at the chosen port.`;
}

interface PortProps {
  server: SshServerFacts;
  /** Why the server cannot listen at the chosen port, or why the last one was refused. */
  problem: string | null;
  isSaving: boolean;
  save: (port: number | null) => void;
}

/** A port is tried before it is saved, and another one ends connections: it has a button. */
function Port({ server: { chosenPort, usualPort }, problem, isSaving, save }: PortProps) {
  const [typed, setTyped] = useState<number | string>(chosenPort ?? '');
  const port = typed === '' ? null : Number(typed);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (port !== chosenPort) save(port);
      }}
    >
      <div className={styles.fields}>
        <NumberInput
          label={t`Port`}
          hideControls
          placeholder={usualPort === null ? t`any free port` : String(usualPort)}
          value={typed}
          error={port === null && chosenPort === null ? null : problem}
          description={chosenPort === null ? undefined : t`Default: ${usualPort ?? t`any free port`}`}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          onChange={setTyped}
        />
      </div>
      <div className={styles.actions}>
        <ReasonButton
          size="xs"
          type="submit"
          variant="default"
          whyNot={port === chosenPort ? t`Nothing has changed.` : null}
          loading={isSaving}
        >{t`Change the port`}</ReasonButton>
      </div>
    </form>
  );
}

interface KeysProps {
  keys: SshServerFacts['keys'];
  /** Why the last removal failed. */
  problem: string | null;
  remove: (line: string) => void;
}

function Keys({ keys, problem, remove }: KeysProps) {
  return (
    <>
      <p>
        {keys.length === 0
          ? t`No key is allowed yet. A key below may sign in to every Pod; a Pod also accepts its variable PUBLIC_KEY.`
          : t`These keys may sign in to every Pod:`}
      </p>
      {problem !== null && (
        <Notice tone="bad" title={t`Not removed.`}>
          {problem}
        </Notice>
      )}
      {keys.length > 0 && (
        <div className={styles.tableScroll}>
          <PlainTable
            className={styles.table}
            label={t`Keys that may sign in to every Pod`}
            rows={keys}
            keyOf={({ line }) => line}
            columns={[
              {
                title: t`Key`,
                isHeader: true,
                cell: ({ line }) => (
                  <>
                    {nameOf(line)}
                    <span>{algorithmOf(line)}</span>
                  </>
                ),
              },
              {
                title: t`Fingerprint`,
                cellClass: styles.wrap,
                cell: ({ fingerprint }) => fingerprint ?? t`no public key: nobody can sign in with it`,
              },
              {
                title: t`Actions`,
                isTitleHidden: true,
                cell: ({ line }) => (
                  <Button
                    size="xs"
                    variant="default"
                    aria-label={t`Remove the key ${nameOf(line)}`}
                    onClick={() => remove(line)}
                  >{t`Remove`}</Button>
                ),
              },
            ]}
          />
        </div>
      )}
    </>
  );
}

interface NewKeyProps {
  problem: string | null;
  isSaving: boolean;
  add: (line: string, onSaved: () => void) => void;
}

function NewKey({ problem, isSaving, add }: NewKeyProps) {
  const [line, setLine] = useState('');
  return (
    <form
      className={styles.actions}
      onSubmit={(event) => {
        event.preventDefault();
        add(line.trim(), () => setLine(''));
      }}
    >
      <TextInput
        size="xs"
        flex={1}
        aria-label={t`Public key to allow`}
        placeholder={t`ssh-ed25519 AAAA…`}
        value={line}
        error={problem}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => setLine(event.currentTarget.value)}
      />
      <ReasonButton
        size="xs"
        variant="default"
        type="submit"
        loading={isSaving}
        whyNot={line.trim() === '' ? t`Paste the line of a file that ends in .pub first.` : null}
      >{t`Allow this key`}</ReasonButton>
    </form>
  );
}

const partsOf = (line: string): string[] => line.trim().split(/\s+/);
const algorithmOf = (line: string): string => partsOf(line)[0] ?? '';
/** The comment of the key, which names its person and computer; otherwise its algorithm. */
const nameOf = (line: string): string => partsOf(line).slice(2).join(' ') || algorithmOf(line);
