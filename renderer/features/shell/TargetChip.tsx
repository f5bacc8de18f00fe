/** Where everything is sent: the account, its engine's state, and a way to restart it. */
import { useState } from 'react';
import { Button, Popover, UnstyledButton } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { ChevronDown, RotateCw } from 'lucide-react';
import { restartEngine, useEngine } from '../../client/engine.ts';
import { errorText, orpc, useConnection } from '../../client/orpc.ts';
import { useSelection } from '../../state/selection.ts';
import { accountTitle } from '../../ui/accountName.ts';
import { Id } from '../../ui/Id.tsx';
import { engineWords } from './engineWords.ts';
import styles from './shell.module.css';

export function TargetChip() {
  const [open, setOpen] = useState(false);
  const accountId = useSelection((selection) => selection.accountId);
  const accounts = useQuery(orpc.accounts.list.queryOptions());
  const account = accounts.data?.find(({ id }) => id === accountId);
  const status = useEngine((state) => state.status);
  const connected = useConnection((connection) => connection.state === 'open');
  const { word, tone } = engineWords(status, connected);
  const name = accountTitle(accountId, account?.name ?? '');
  return (
    <Popover opened={open} onChange={setOpen} position="bottom-start" width={320} trapFocus returnFocus withRoles>
      <Popover.Target>
        <UnstyledButton
          className={styles.target}
          aria-label={`Target: ${name}, engine ${word}`}
          onClick={() => setOpen(!open)}
        >
          <i className={styles.dot} data-tone={tone} aria-hidden />
          <span className={styles.targetName}>{name}</span>
          {tone !== 'ok' && <span className={styles.targetState}>{word}</span>}
          <ChevronDown size={13} aria-hidden />
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown>
        <dl className={styles.facts}>
          <dt>Engine</dt>
          <dd>
            <i className={styles.dot} data-tone={tone} aria-hidden /> {word}
          </dd>
          <dt>Address</dt>
          <dd>{status?.address ? <Id text={status.address} what="address" /> : '–'}</dd>
          {status !== null && status.restarts > 0 && (
            <>
              <dt>Restarts</dt>
              <dd>{status.restarts}</dd>
            </>
          )}
          <HostFacts />
        </dl>
        {status?.reason && <p className={styles.reason}>{status.reason}</p>}
        <RestartButton />
      </Popover.Dropdown>
    </Popover>
  );
}

function HostFacts() {
  const { data } = useQuery(orpc.host.info.queryOptions({ staleTime: Infinity }));
  if (!data) return null;
  return (
    <>
      <dt>Hangar</dt>
      <dd>{data.version}</dd>
      <dt>Data</dt>
      <dd>
        <Id text={data.dataDir} what="data folder" />
      </dd>
    </>
  );
}

export function RestartButton() {
  const connected = useConnection((connection) => connection.state === 'open');
  const restart = useMutation({ mutationFn: restartEngine });
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={<RotateCw size={12} aria-hidden />}
        disabled={!connected}
        loading={restart.isPending}
        onClick={() => restart.mutate()}
      >
        Restart the engine
      </Button>
      {restart.isError && <p className={styles.reason}>{errorText(restart.error)}</p>}
    </>
  );
}
