/** Questions before an SSH connection to a Pod: to trust a host, or for a passphrase. */
import { useState } from 'react';
import { Button, Checkbox, PasswordInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import * as z from 'zod';
import { sshQuestionSchema, type SshQuestion } from '#contract/local/terminalLink.ts';
import { api, errorText, ORPCError } from '../../client/transport/orpc.ts';
import { Notice } from '../primitives/Notice.tsx';
import styles from './sshQuestion.module.css';
import { ReasonButton } from '../popover/ReasonButton.tsx';
import { rich, t } from '../../language/text.ts';

const withQuestion = z.object({ question: sshQuestionSchema });

/** The question in an error, which must be answered before another try; null if the error has none. */
export function questionIn(error: unknown): SshQuestion | null {
  const { data } = withQuestion.safeParse(error instanceof ORPCError ? error.data : null);
  return data?.question ?? null;
}

interface QuestionProps<K extends SshQuestion['kind'] = SshQuestion['kind']> {
  question: Extract<SshQuestion, { kind: K }>;
  why: string;
  /** Called after the answer, for another try. */
  onAnswered: () => void;
}

export function SshQuestionNotice({ question, ...more }: QuestionProps) {
  if (question.kind === 'new-host') return <NewHost question={question} {...more} />;
  if (question.kind === 'changed-host') return <ChangedHost question={question} {...more} />;
  return <Passphrase question={question} {...more} />;
}

const Failure = ({ error }: { error: unknown }) => <em className={styles.failure}>{errorText(error)}</em>;

function NewHost({ question, onAnswered }: QuestionProps<'new-host'>) {
  const { host, port, algorithm, fingerprint } = question;
  const trust = useMutation({
    mutationFn: () => api.ssh.trust({ host, port, fingerprint }),
    onSuccess: onAnswered,
  });
  return (
    <Notice
      tone="wait"
      title={t`Connect to ${host}:${port} for the first time?`}
      action={
        <Button size="xs" loading={trust.isPending} onClick={() => trust.mutate()}>{t`Trust it and connect`}</Button>
      }
    >
      {rich`It shows the host key ${<code className={styles.fingerprint}>{fingerprint}</code>} (${algorithm}). It is remembered, and any other is refused from then on.`}{' '}
      {trust.isError && <Failure error={trust.error} />}
    </Notice>
  );
}

function ChangedHost({ question, why, onAnswered }: QuestionProps<'changed-host'>) {
  const { host, port, fingerprint, remembered } = question;
  const forget = useMutation({ mutationFn: () => api.ssh.forget({ host, port }), onSuccess: onAnswered });
  return (
    <Notice
      tone="bad"
      title={t`The host key has changed.`}
      action={
        <Button
          size="xs"
          variant="default"
          loading={forget.isPending}
          onClick={() => forget.mutate()}
        >{t`Forget the old key`}</Button>
      }
    >
      {rich`${why} Remembered: ${<code className={styles.fingerprint}>{remembered.join(', ')}</code>}. Shown now:`}{' '}
      <code className={styles.fingerprint}>{fingerprint}</code>
      {'. '}
      {forget.isError && <Failure error={forget.error} />}
    </Notice>
  );
}

function Passphrase({ question, onAnswered }: QuestionProps<'passphrase'>) {
  const [passphrase, setPassphrase] = useState('');
  const [keep, setKeep] = useState(false);
  const unlock = useMutation({
    mutationFn: () => api.ssh.unlock({ passphrase, keep }),
    onSuccess: onAnswered,
    // The passphrase is cleared after it was sent.
    onSettled: () => setPassphrase(''),
  });
  return (
    <Notice tone="wait" title={t`The key in ${question.file} needs its passphrase.`}>
      <form
        className={styles.passphrase}
        onSubmit={(event) => {
          event.preventDefault();
          unlock.mutate();
        }}
      >
        <PasswordInput
          size="xs"
          aria-label={t`Passphrase`}
          autoComplete="off"
          data-autofocus
          value={passphrase}
          error={unlock.isError ? errorText(unlock.error) : undefined}
          onChange={(event) => setPassphrase(event.currentTarget.value)}
        />
        <Checkbox
          label={t`Store it with the account keys`}
          checked={keep}
          onChange={(event) => setKeep(event.currentTarget.checked)}
        />
        <ReasonButton
          size="xs"
          type="submit"
          loading={unlock.isPending}
          whyNot={passphrase === '' ? t`Enter the passphrase first.` : null}
        >{t`Unlock`}</ReasonButton>
      </form>
    </Notice>
  );
}
