/** Pulls images by their names: a field, and each pull with its progress until it is removed from the list. */
import { useEffect, useRef, useState } from 'react';
import { Select, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import type { RegistryAuthRow } from '#contract/bridge/resource.ts';
import type { ImagePullRequest } from '#contract/local/image.ts';
import { useWhyNotNow } from '../../../client/away.ts';
import { api, errorText } from '../../../client/transport/orpc.ts';
import { useCommands } from '../../../state/commands.ts';
import { askForImage, useOverlays } from '../../../state/overlays.ts';
import { ReasonButton } from '../../../ui/popover/ReasonButton.tsx';
import { Notice } from '../../../ui/primitives/Notice.tsx';
import { Pending } from '../../../ui/page/Pending.tsx';
import { announce } from '../../../ui/primitives/announce.tsx';
import { PullRow } from './PullRow.tsx';
import { problemOfName, pulledName, typedName } from './typedName.ts';
import { useContainers } from './useContainers.ts';
import { usePulls } from './usePulls.ts';
import { useImages } from '../useImages.ts';
import rows from '../../../ui/theme/progressRows.module.css';
import styles from './pulls.module.css';
import { t } from '../../../language/text.ts';

interface ImagePullsProps {
  accountId: string;
  target: string;
  registryAuths: readonly Pick<RegistryAuthRow, 'id' | 'name'>[];
}

/** Nothing where no container engine answers: the list of images says so. */
export function ImagePulls({ accountId, target, registryAuths }: ImagePullsProps) {
  const { containers, isPending } = useContainers(accountId);
  const isReady = containers?.available === true;
  const { pulls, missing, forgetLost } = usePulls(accountId, isReady);
  const pull = useMutation({
    mutationFn: (request: ImagePullRequest) => api.machine.pullImage({ accountId, request }),
  });
  if (isPending || (isReady && pulls === null && missing === null)) return <Pending />;
  if (!isReady) return null;
  if (missing !== null) {
    return (
      <section className={styles.frame} aria-label={t`Pull images`}>
        <Notice tone="off" title={t`Images cannot be pulled on request.`}>
          {missing}
        </Notice>
      </section>
    );
  }
  return (
    <section className={styles.frame} aria-label={t`Pull images`}>
      <PullForm
        accountId={accountId}
        target={target}
        registryAuths={registryAuths}
        running={(pulls ?? []).filter(({ state }) => state === 'PULLING').map(({ name }) => name)}
        isBusy={pull.isPending}
        onPull={(request, onStarted) => {
          pull.mutate(request, {
            onSuccess: ({ name }) => {
              announce(t`Pulling ${name}`);
              onStarted();
            },
          });
        }}
      />
      {pull.isError && (
        <Notice tone="bad" title={t`Not pulled.`}>
          {errorText(pull.error)}
        </Notice>
      )}
      {pulls !== null && pulls.length > 0 && (
        <ul className={`${rows.rows} ${styles.pulls}`} aria-label={t`Pulls`}>
          {pulls.map((one) => (
            <PullRow
              key={one.id}
              accountId={accountId}
              pull={one}
              onAgain={(request) => pull.mutate(request)}
              onForgetLost={forgetLost}
            />
          ))}
        </ul>
      )}
    </section>
  );
}

interface PullFormProps extends ImagePullsProps {
  /** Names of the images that are being pulled. */
  running: readonly string[];
  isBusy: boolean;
  onPull: (request: ImagePullRequest, onStarted: () => void) => void;
}

function PullForm({ accountId, target, registryAuths, running, isBusy, onPull }: PullFormProps) {
  const [text, setText] = useState('');
  const [authId, setAuthId] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const { now: images } = useImages(accountId);
  const whyNot = useWhyNotNow();
  const isAsked = useOverlays((state) => state.imageToPull);
  useEffect(() => {
    if (!isAsked) return;
    field.current?.focus();
    askForImage(false);
  }, [isAsked]);
  useCommands([{ label: t`Pull an image…`, run: () => field.current?.focus() }]);

  const name = typedName(text);
  const full = pulledName(name);
  const problem = problemOfName(name) ?? (running.includes(full) ? t`${full} is already being pulled.` : null);
  const isHere = images?.some((image) => image.name === full) === true;
  const hint = isHere
    ? t`${full} is already on ${target}. Pulling it gets the newer version if there is one.`
    : t`Without a tag, latest is pulled. The pull continues when you leave this page.`;
  const auth = registryAuths.find(({ id }) => id === authId);
  return (
    <form
      className={styles.form}
      autoComplete="off"
      onSubmit={(event) => {
        event.preventDefault();
        if (whyNot !== null || name === '' || problem !== null || isBusy) return field.current?.focus();
        onPull({ name, ...(auth && { containerRegistryAuthId: auth.id }) }, () => setText(''));
      }}
    >
      <TextInput
        ref={field}
        className={styles.name}
        label={t`Pull an image`}
        placeholder={t`ubuntu:24.04`}
        spellCheck={false}
        autoCapitalize="none"
        value={text}
        error={problem !== null}
        aria-describedby="pull-hint"
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {registryAuths.length > 0 && (
        <Select
          className={styles.auth}
          label={t`Credentials`}
          placeholder={t`none`}
          clearable
          data={registryAuths.map(({ id, name: label }) => ({ value: id, label }))}
          value={auth?.id ?? null}
          onChange={setAuthId}
        />
      )}
      <ReasonButton
        type="submit"
        size="xs"
        leftSection={<Download size={14} aria-hidden />}
        loading={isBusy}
        whyNot={whyNot ?? (name === '' ? t`Enter the name of an image first.` : problem)}
      >{t`Pull`}</ReasonButton>
      <p id="pull-hint" role="status" data-bad={problem !== null || undefined}>
        {problem ?? hint}
      </p>
    </form>
  );
}
