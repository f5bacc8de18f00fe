/**
 * Interrupted uploads into a Pod. A browser cannot reopen their files, so the person chooses them again to continue.
 */
import { useRef } from 'react';
import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { CirclePause } from 'lucide-react';
import type { FileHolder, UnfinishedUpload } from '#contract/local/files.ts';
import { upload, useTransfers } from '../../../client/files/transfers.ts';
import { api, errorText, orpc, queryClient } from '../../../client/transport/orpc.ts';
import { formatFileSize, formatMoment } from '../../text/format.ts';
import { MiddleCut } from '../MiddleCut.tsx';
import rows from '../../theme/progressRows.module.css';
import styles from './transfers.module.css';
import { t } from '../../../language/text.ts';

interface UnfinishedListProps {
  accountId: string;
  holder: FileHolder;
  /** Interval of the polls, in milliseconds; false for none. */
  everyMs: number | false;
}

export function UnfinishedList({ accountId, holder, everyMs }: UnfinishedListProps) {
  const unfinished = useQuery(
    orpc.files.unfinished.queryOptions({ input: { accountId, holder }, refetchInterval: everyMs, retry: false }),
  );
  // Uploads of this page are in the list of transfers, also before the app knows them.
  const open = useTransfers(({ list }) => list).filter(
    (one) => one.holder.id === holder.id && (one.state === 'waiting' || one.state === 'running'),
  );
  const list = (unfinished.data ?? []).filter(({ path }) => !open.some((one) => one.path === path));
  if (list.length === 0) return null;
  return (
    <div className={styles.frame}>
      <ul className={`${rows.rows} ${styles.transfers}`} aria-label={t`Interrupted uploads`}>
        {list.map((one) => (
          <Row key={one.path} accountId={accountId} holder={holder} one={one} />
        ))}
      </ul>
    </div>
  );
}

function Row({ accountId, holder, one }: Omit<UnfinishedListProps, 'everyMs'> & { one: UnfinishedUpload }) {
  const picker = useRef<HTMLInputElement>(null);
  const { path, sizeBytes, doneBytes, modifiedAt } = one;
  const name = path.slice(path.lastIndexOf('/') + 1);
  const discard = useMutation({
    mutationFn: () => api.files.discardUpload({ accountId, holder, path }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: orpc.files.key() }),
  });
  return (
    <li data-state="broken-off">
      <CirclePause size={14} aria-hidden />
      <b>
        <MiddleCut text={name} title={`/${path}`} />
      </b>
      <span className={rows.how}>
        <span>{t`Interrupted: ${formatFileSize(doneBytes)} of ${formatFileSize(sizeBytes)} are in the Pod. Choose the same file again (${formatFileSize(sizeBytes)}, changed ${formatMoment(modifiedAt)}) to continue.`}</span>
        {discard.isError && <span>{errorText(discard.error)}</span>}
      </span>
      <Button
        size="xs"
        variant="default"
        aria-label={t`Choose it again: ${name}`}
        onClick={() => picker.current?.click()}
      >{t`Choose it again`}</Button>
      <input
        ref={picker}
        type="file"
        hidden
        aria-label={t`File to continue ${name}`}
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          if (file) upload({ accountId, holder, path }, file);
          event.currentTarget.value = '';
        }}
      />
      <Button
        size="xs"
        variant="default"
        aria-label={t`Discard ${name}`}
        loading={discard.isPending}
        onClick={() => discard.mutate()}
      >{t`Discard`}</Button>
    </li>
  );
}
