/**
 * SSH into Pods: the person's key, whether shells survive a lost connection, the server of an engine, and the remembered
 * hosts.
 */
import { useState } from 'react';
import { Button, Skeleton, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { keysOf } from '#contract/core/keysOf.ts';
import type { SshIdentity, SshSettings } from '#contract/app/ssh.ts';
import type { SshNow } from '#contract/bridge/ssh.ts';
import { api, errorText, orpc, queryClient } from '../../client/transport/orpc.ts';
import { useCommands } from '../../state/commands.ts';
import { CopyButton } from '../../ui/primitives/CopyButton.tsx';
import { Fact, Facts } from '../../ui/primitives/DescriptionList.tsx';
import { LoadError } from '../../ui/domain/LoadError.tsx';
import { PodSshBlock } from './PodSshBlock.tsx';
import { Notice } from '../../ui/primitives/Notice.tsx';
import { ChoosePath } from '../../ui/paths/ChoosePath.tsx';
import { SshQuestionNotice } from '../../ui/domain/SshQuestionNotice.tsx';
import { PlainTable } from '../../ui/primitives/PlainTable.tsx';
import { SavedSwitch } from '../../ui/saved/SavedSwitch.tsx';
import styles from './settings.module.css';
import { ReasonButton } from '../../ui/popover/ReasonButton.tsx';
import { Segments } from '../../ui/tabs/Segments.tsx';
import { t } from '../../language/text.ts';

const froms: Record<SshIdentity['from'], string> = { auto: t`Automatic`, agent: t`Agent`, file: t`File` };

/** The folder in which `ssh` looks for keys. */
const KEY_FOLDER = '~/.ssh/';

export function SshTab() {
  const { data, error, isError, refetch } = useQuery(orpc.ssh.now.queryOptions({ retry: false }));
  const changed = () => queryClient.invalidateQueries({ queryKey: orpc.ssh.now.key() });
  const change = useMutation({
    mutationFn: (settings: Partial<SshSettings>) => api.ssh.change(settings),
    onSuccess: changed,
  });
  const isKept = data?.settings.keepsShells;
  useCommands([
    isKept !== undefined && {
      label: isKept ? t`Run shells in tmux: turn off` : t`Run shells in tmux: turn on`,
      run: () => change.mutate({ keepsShells: !isKept }),
    },
  ]);
  if (isError && !data) {
    return (
      <LoadError
        source="app"
        title={t`The SSH settings could not be read`}
        problem={errorText(error)}
        retry={() => void refetch()}
      />
    );
  }
  if (!data) {
    return (
      <div className={styles.body} aria-busy="true">
        <section className={styles.block}>
          <div className={styles.actions}>
            <Skeleton h={10} w={280} radius={4} />
          </div>
        </section>
      </div>
    );
  }
  return (
    <div className={styles.body}>
      {change.isError && (
        <Notice tone="bad" title={t`Not saved.`}>
          {errorText(change.error)}
        </Notice>
      )}
      <Identity now={data} onChange={(identity) => change.mutate({ identity })} onAnswered={() => void changed()} />
      <section className={styles.block} aria-labelledby="ssh-shells">
        <h2 id="ssh-shells">{t`Shells`}</h2>
        <div className={styles.switches}>
          <SavedSwitch
            label={t`Run shells in tmux if the Pod has it, so that they survive a lost connection`}
            checked={isKept ?? false}
            onChange={(isOn) => change.mutateAsync({ keepsShells: isOn })}
          />
        </div>
      </section>
      <Hosts hosts={data.hosts} onChanged={() => void changed()} />
      {/* The last one: it is read from the engine, and grows once that has answered. */}
      <PodSshBlock />
    </div>
  );
}

interface IdentityProps {
  now: SshNow;
  onChange: (identity: SshIdentity) => void;
  onAnswered: () => void;
}

function Identity({ now, onChange, onAnswered }: IdentityProps) {
  const { identity } = now.settings;
  const [path, setPath] = useState(identity.from === 'file' ? identity.path : '');
  const [from, setFrom] = useState<SshIdentity['from']>(identity.from);
  const file = now.locked && identity.from === 'file' ? identity.path : t`the key file`;
  const choose = (value: string) => {
    const next = keysOf(froms).find((name) => name === value) ?? 'auto';
    setFrom(next);
    if (next !== 'file') onChange({ from: next });
  };
  useCommands(
    keysOf(froms).map((name) => name !== from && { label: t`SSH key: ${froms[name]}`, run: () => choose(name) }),
  );
  return (
    <section className={styles.block} aria-labelledby="ssh-key">
      <h2 id="ssh-key">{t`Your key`}</h2>
      <p>
        {now.offers.length === 0
          ? t`Hangar connects to Pods of other accounts over SSH. A Pod accepts the public keys that it was started with.`
          : t`Hangar connects to Pods of other accounts over SSH. A Pod accepts the public keys that it was started with. Add the line below to the account, then start the Pod.`}
      </p>
      <Facts>
        <Fact name={t`Source`} isControl>
          <Segments
            aria-label={t`Source of the key`}
            data={Object.entries(froms).map(([value, label]) => ({ value, label }))}
            value={from}
            onChange={choose}
          />
        </Fact>
        {from === 'file' && (
          <Fact name={t`Key file`}>
            <form
              className={styles.inline}
              onSubmit={(event) => {
                event.preventDefault();
                onChange({ from: 'file', path });
              }}
            >
              <TextInput
                size="xs"
                aria-label={t`Key file`}
                placeholder={t`~/.ssh/id_ed25519`}
                value={path}
                spellCheck={false}
                autoComplete="off"
                onChange={(event) => setPath(event.currentTarget.value)}
              />
              <ChoosePath kind="file" path={path === '' ? KEY_FOLDER : path} onChosen={setPath} />
              <ReasonButton
                size="xs"
                variant="default"
                type="submit"
                whyNot={path.trim() === '' ? t`Enter a path first.` : null}
              >{t`Use it`}</ReasonButton>
            </form>
          </Fact>
        )}
        {now.offers.map(({ from: origin, algorithm, fingerprint, line }) => (
          <Fact key={line} name={t`Public key`}>
            <span className={styles.wrap} title={t`From ${origin}`}>
              {algorithm} {fingerprint}
            </span>
            <CopyButton text={line} label={t`Copy public key`} />
          </Fact>
        ))}
      </Facts>
      {now.problem !== null && (
        <Notice tone="wait" title={t`No SSH key found.`}>
          {now.problem}
        </Notice>
      )}
      {now.locked && <SshQuestionNotice question={{ kind: 'passphrase', file }} why="" onAnswered={onAnswered} />}
    </section>
  );
}

function Hosts({ hosts, onChanged }: { hosts: SshNow['hosts']; onChanged: () => void }) {
  const forget = useMutation({
    mutationFn: ({ host, port }: SshNow['hosts'][number]) => api.ssh.forget({ host, port }),
    onSuccess: onChanged,
  });
  useCommands(
    hosts.map((host) => ({
      label: t`Forget the key of ${host.host}:${host.port}`,
      description: host.algorithm,
      run: () => forget.mutate(host),
    })),
  );
  return (
    <section className={styles.block} aria-labelledby="ssh-hosts">
      <h2 id="ssh-hosts">{t`Known hosts`}</h2>
      <p>
        {hosts.length === 0
          ? t`None yet. Hangar asks at the first connection to each host and saves the answer in known_hosts in the data folder.`
          : t`A host with a different key is refused. Forget the old key if you know why it changed.`}
      </p>
      {forget.isError && (
        <Notice tone="bad" title={t`Not removed.`}>
          {errorText(forget.error)}
        </Notice>
      )}
      {hosts.length > 0 && (
        <div className={styles.tableScroll}>
          <PlainTable
            className={styles.table}
            rows={hosts}
            keyOf={({ host, port, fingerprint }) => `${host}:${port} ${fingerprint}`}
            columns={[
              {
                title: t`Host`,
                isHeader: true,
                cell: ({ host, port, algorithm }) => (
                  <>
                    {host}:{port}
                    <span>{algorithm}</span>
                  </>
                ),
              },
              { title: t`Key`, cellClass: styles.wrap, cell: ({ fingerprint }) => fingerprint },
              {
                title: t`Actions`,
                isTitleHidden: true,
                cell: (host) => (
                  <Button
                    size="xs"
                    variant="default"
                    aria-label={t`Forget the key of ${host.host}:${host.port}`}
                    onClick={() => forget.mutate(host)}
                  >{t`Forget`}</Button>
                ),
              },
            ]}
          />
        </div>
      )}
    </section>
  );
}
