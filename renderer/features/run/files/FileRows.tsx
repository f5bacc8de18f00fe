/** The files of an input: which way each took and why, its progress, and its place in the bucket. */
import { ActionIcon, Anchor, Button, Progress } from '@mantine/core';
import { Check, CircleAlert, CloudUpload, X } from 'lucide-react';
import { useShallow } from 'zustand/react/shallow';
import { formatRoute } from '../../../state/routePath.ts';
import { CopyButton } from '../../../ui/primitives/CopyButton.tsx';
import { formatBytes, formatWhen } from '../../../ui/text/format.ts';
import styles from './files.module.css';
import {
  cancelInputFile,
  forgetInputFile,
  isOpen,
  removeInputFile,
  uploadInputFileAgain,
  useInputFiles,
  type InputFile,
} from './inputFiles.ts';
import { joinFacts } from '../../../language/sentences.ts';
import { t } from '../../../language/text.ts';

export function FileRows({ draftKey }: { draftKey: string }) {
  const files = useInputFiles(useShallow(({ list }) => list.filter((one) => one.draftKey === draftKey)));
  if (files.length === 0) return null;
  return (
    <ul className={styles.files} aria-label={t`Files of the input`}>
      {files.map((file) => (
        <Row key={file.id} file={file} />
      ))}
    </ul>
  );
}

function words(file: InputFile): string {
  const { state, why, way, sizeBytes, doneBytes, bytesPerS, link, isWritten, problem } = file;
  if (problem !== null) return problem;
  if (way === 'base64') return t`As base64, because ${why}`;
  if (state === 'waiting') return t`Waiting for its upload to the bucket (${why})`;
  if (state === 'running') {
    const amount = t`${formatBytes(doneBytes)} of ${formatBytes(sizeBytes)}`;
    return t`To the bucket (${why}): ${joinFacts(amount, bytesPerS !== null && t`${formatBytes(bytesPerS)}/s`)}`;
  }
  if (state === 'cancelled') return t`Cancelled. Nothing was uploaded to the bucket.`;
  if (state === 'removed') return t`Removed from the bucket. Its link no longer works.`;
  const until = link === null ? '' : formatWhen(link.expiresAt);
  return isWritten
    ? t`In the bucket (${why}). Its link is valid until ${until}. It stays there until it is removed.`
    : t`Uploaded to the bucket (${why}), but not added to the input, which changed meanwhile. Copy its link; it is valid until ${until}.`;
}

function Row({ file }: { file: InputFile }) {
  const { id, name, state, sizeBytes, doneBytes, problem, needsBucket, link } = file;
  const isFailed = problem !== null;
  const Icon = isFailed ? CircleAlert : state === 'done' ? Check : CloudUpload;
  const canTry = file.way === 'bucket' && (state === 'failed' || state === 'cancelled');
  return (
    <li data-state={isFailed ? 'failed' : state}>
      <Icon size={14} aria-hidden />
      <span className={styles.text}>
        <b title={name}>{name}</b>
        {state === 'running' && (
          <Progress
            value={sizeBytes === 0 ? 100 : (doneBytes / sizeBytes) * 100}
            size="sm"
            aria-label={t`Upload of ${name}`}
          />
        )}
        <span role={isFailed ? 'alert' : undefined}>
          {words(file)}{' '}
          {needsBucket && (
            <Anchor fz="inherit" href={formatRoute({ page: 'settings', tab: 'bucket' })}>{t`Set up the bucket`}</Anchor>
          )}
        </span>
      </span>
      {state === 'done' && link !== null && (
        <>
          <CopyButton text={link.url} label={t`Copy address of ${name}`} />
          <Button
            size="xs"
            variant="default"
            aria-label={t`Remove ${name} from the bucket`}
            onClick={() => void removeInputFile(file)}
          >{t`Remove`}</Button>
        </>
      )}
      {canTry && (
        <Button
          size="xs"
          variant="default"
          aria-label={t`Upload ${name} again`}
          onClick={() => uploadInputFileAgain(id)}
        >{t`Try again`}</Button>
      )}
      {isOpen(file) ? (
        <Button
          size="xs"
          variant="default"
          aria-label={t`Cancel ${name}`}
          onClick={() => cancelInputFile(id)}
        >{t`Cancel`}</Button>
      ) : (
        <ActionIcon aria-label={t`Hide ${name}`} onClick={() => forgetInputFile(id)}>
          <X size={13} aria-hidden />
        </ActionIcon>
      )}
    </li>
  );
}
