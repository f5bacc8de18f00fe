/** Transfers of a volume or a Pod: their progress and results. */
import { ActionIcon, Button, Progress } from '@mantine/core';
import { Check, CircleAlert, Download, Upload, X } from 'lucide-react';
import type { FileHolder } from '#contract/local/files.ts';
import {
  cancelTransfer,
  forgetTransfer,
  uploadAgain,
  useTransfers,
  type Transfer,
} from '../../client/fileTransfers.ts';
import { formatBytes } from '../text/format.ts';
import styles from './files.module.css';
import { t } from '../../language/text.ts';

export function TransferList({ holder }: { holder: FileHolder }) {
  const list = useTransfers((transfers) => transfers.list).filter(
    (one) => one.holder.in === holder.in && one.holder.id === holder.id,
  );
  if (list.length === 0) return null;
  return (
    <ul className={styles.transfers} aria-label={t`Transfers`}>
      {list.map((transfer) => (
        <Row key={transfer.id} transfer={transfer} />
      ))}
    </ul>
  );
}

const words: Record<Transfer['state'], string> = {
  waiting: t`Waits`,
  running: t`Under way`,
  done: t`Done`,
  failed: t`Failed`,
  cancelled: t`Cancelled`,
};

const remedies: Record<NonNullable<Transfer['remedy']>, string> = {
  replace: t`Replace it`,
  'start-over': t`Start over`,
  'go-on': t`Try again`,
};

function Row({ transfer }: { transfer: Transfer }) {
  const { id, way, name, sizeBytes, doneBytes, state, problem, remedy } = transfer;
  const isOpen = state === 'waiting' || state === 'running';
  const Icon = state === 'done' ? Check : state === 'failed' ? CircleAlert : way === 'up' ? Upload : Download;
  const share = sizeBytes === 0 ? 100 : (doneBytes / sizeBytes) * 100;
  return (
    <li data-state={state}>
      <Icon size={14} aria-hidden />
      <b title={name}>{name}</b>
      <span className={styles.how}>
        {state === 'running' && (
          <Progress value={share} size="sm" aria-label={t`${way === 'up' ? t`Upload` : t`Download`} of ${name}`} />
        )}
        <span>
          {words[state]}
          {problem !== null && `: ${problem}`}
          {state === 'running' && t`, ${formatBytes(doneBytes)} of ${formatBytes(sizeBytes)}`}
        </span>
      </span>
      {remedy !== null && (
        <Button size="xs" variant="default" onClick={() => uploadAgain(transfer)}>
          {remedies[remedy]}
        </Button>
      )}
      {isOpen ? (
        <Button
          size="xs"
          variant="default"
          aria-label={t`Cancel ${name}`}
          onClick={() => cancelTransfer(id)}
        >{t`Cancel`}</Button>
      ) : (
        <ActionIcon aria-label={t`Forget ${name}`} onClick={() => forgetTransfer(id)}>
          <X size={13} aria-hidden />
        </ActionIcon>
      )}
    </li>
  );
}
