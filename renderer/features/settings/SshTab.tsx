/** SSH into Pods: the key a person is known by, whether shells outlive a connection, and the hosts whose keys are remembered. */
import { useState } from 'react';
import { Button, SegmentedControl, Skeleton, Switch, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { SshIdentity, SshSettings } from '#contract/app/ssh.ts';
import type { SshNow } from '#contract/bridge/ssh.ts';
import { api, errorText, orpc, queryClient } from '../../client/transport/orpc.ts';
import { CopyButton } from '../../ui/primitives/CopyButton.tsx';
import { Fact, Facts } from '../../ui/primitives/DescriptionList.tsx';
import { Empty, Notice } from '../../ui/primitives/Notice.tsx';
import { SshQuestionNotice } from '../../ui/domain/SshQuestionNotice.tsx';
import { PlainTable } from '../../ui/primitives/PlainTable.tsx';
import styles from './settings.module.css';

const froms: Record<SshIdentity['from'], string> = { auto: 'As found', agent: 'Agent', file: 'File' };

export function SshTab() {
  const { data, error, isError, refetch } = useQuery(orpc.ssh.now.queryOptions({ retry: false }));
  const changed = () => queryClient.invalidateQueries({ queryKey: orpc.ssh.now.key() });
  const change = useMutation({
    mutationFn: (given: Partial<SshSettings>) => api.ssh.change(given),
    onSuccess: changed,
  });
  if (isError && !data) {
    return (
      <Empty
        title="The settings of SSH could not be read"
        action={<Button onClick={() => void refetch()}>Try again</Button>}
      >
        {errorText(error)}
      </Empty>
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
        <Notice tone="bad" title="That was not kept.">
          {errorText(change.error)}
        </Notice>
      )}
      <Identity now={data} onChange={(identity) => change.mutate({ identity })} onAnswered={() => void changed()} />
      <section className={styles.block} aria-labelledby="ssh-shells">
        <h2 id="ssh-shells">Shells</h2>
        <div className={styles.switches}>
          <Switch
            size="xs"
            label="Run shells in tmux where a Pod has it, so that they outlive a lost connection"
            checked={(change.isPending ? change.variables.keepsShells : undefined) ?? data.settings.keepsShells}
            onChange={(event) => change.mutate({ keepsShells: event.currentTarget.checked })}
          />
        </div>
      </section>
      <Hosts hosts={data.hosts} onChanged={() => void changed()} />
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
  const file = now.locked && identity.from === 'file' ? identity.path : 'the key file';
  const choose = (value: string) => {
    const next = (Object.keys(froms) as SshIdentity['from'][]).find((name) => name === value) ?? 'auto';
    setFrom(next);
    if (next !== 'file') onChange({ from: next });
  };
  return (
    <section className={styles.block} aria-labelledby="ssh-key">
      <h2 id="ssh-key">Your key</h2>
      <p>
        Pods of other accounts are reached over SSH. A Pod takes the public keys that it was started with: add the line
        below to the account, then start the Pod.
      </p>
      <Facts>
        <Fact name="Taken from">
          <SegmentedControl
            aria-label="Where the key is taken from"
            data={Object.entries(froms).map(([value, label]) => ({ value, label }))}
            value={from}
            onChange={choose}
          />
        </Fact>
        {from === 'file' && (
          <Fact name="Key file">
            <form
              className={styles.inline}
              onSubmit={(event) => {
                event.preventDefault();
                onChange({ from: 'file', path });
              }}
            >
              <TextInput
                size="xs"
                aria-label="Key file"
                placeholder="~/.ssh/id_ed25519"
                value={path}
                onChange={(event) => setPath(event.currentTarget.value)}
              />
              <Button size="xs" variant="default" type="submit" disabled={path.trim() === ''}>
                Use it
              </Button>
            </form>
          </Fact>
        )}
        {now.offers.map(({ from: origin, algorithm, fingerprint, line }) => (
          <Fact key={line} name="Public key">
            <span className={styles.wrap} title={`From ${origin}`}>
              {algorithm} {fingerprint}
            </span>
            <CopyButton text={line} what="public key" />
          </Fact>
        ))}
      </Facts>
      {now.problem !== null && (
        <Notice tone="wait" title="No key to sign in with.">
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
  return (
    <section className={styles.block} aria-labelledby="ssh-hosts">
      <h2 id="ssh-hosts">Hosts that are known</h2>
      <p>
        {hosts.length === 0
          ? 'None yet: you are asked at the first connection to each, and it is remembered in known_hosts of the data folder.'
          : 'One that shows another key than the one here is refused. Forget the old key where you know why it changed.'}
      </p>
      {forget.isError && (
        <Notice tone="bad" title="It was not forgotten.">
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
                title: 'Host',
                isHeader: true,
                cell: ({ host, port, algorithm }) => (
                  <>
                    {host}:{port}
                    <span>{algorithm}</span>
                  </>
                ),
              },
              { title: 'Key', cellClass: styles.wrap, cell: ({ fingerprint }) => fingerprint },
              {
                title: 'Actions',
                isTitleHidden: true,
                cell: (host) => (
                  <Button
                    size="xs"
                    variant="default"
                    aria-label={`Forget the key of ${host.host}:${host.port}`}
                    onClick={() => forget.mutate(host)}
                  >
                    Forget
                  </Button>
                ),
              },
            ]}
          />
        </div>
      )}
    </section>
  );
}
