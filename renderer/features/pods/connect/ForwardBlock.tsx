/** Ports of a Pod that this computer has at ports of its own: what is forwarded, what passes, and a form for one more. */
import { useState } from 'react';
import { Anchor, Button, NumberInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Pod } from '#contract/api/pod.ts';
import type { PodForward } from '#contract/app/forwards/podForward.ts';
import { ReasonButton } from '../../../ui/popover/ReasonButton.tsx';
import { t } from '../../../language/text.ts';
import { errorText, orpc } from '../../../client/transport/orpc.ts';
import { isOnOtherComputer } from '../../../client/otherComputer.ts';
import { CopyButton } from '../../../ui/primitives/CopyButton.tsx';
import { formatBytes, formatCount } from '../../../ui/text/format.ts';
import panel from '../../../ui/theme/panel.module.css';
import pods from '../pods.module.css';
import styles from './connect.module.css';
import { requiredField } from '../../../ui/theme/requiredField.ts';

/** Interval of the counts, while something is forwarded. */
const EVERY_MS = 1000;
const LAST_PORT = 65_535;

export function ForwardBlock({ accountId, pod }: { accountId: string; pod: Pod }) {
  const { data = [] } = useQuery(
    orpc.ssh.forwards.queryOptions({
      input: { accountId, podId: pod.id },
      refetchInterval: ({ state }) => ((state.data?.length ?? 0) > 0 ? EVERY_MS : false),
    }),
  );
  const runs = pod.desiredStatus === 'RUNNING';
  return (
    <section className={panel.block} aria-label={t`Forwarded ports`}>
      <h3>{isOnOtherComputer() ? t`Forwarded to the computer that runs Hangar` : t`Forwarded to this computer`}</h3>
      {data.length > 0 && (
        <ul className={pods.ports}>
          {data.map((forward) => (
            <ForwardRow key={forward.id} forward={forward} />
          ))}
        </ul>
      )}
      {runs ? (
        <ForwardForm accountId={accountId} podId={pod.id} />
      ) : (
        data.length === 0 && <p className={panel.hint}>{t`Any port of the Pod, while it is running.`}</p>
      )}
    </section>
  );
}

function ForwardRow({ forward }: { forward: PodForward }) {
  const queries = useQueryClient();
  const end = useMutation(
    orpc.ssh.endForward.mutationOptions({
      onSettled: () => queries.invalidateQueries({ queryKey: orpc.ssh.forwards.key() }),
    }),
  );
  const { id, port, localPort, open, total, sentBytes, receivedBytes } = forward;
  const address = `localhost:${localPort}`;
  const problem = end.isError ? errorText(end.error) : forward.problem;
  return (
    <li className={styles.forward}>
      <div>
        <code>{port}</code>
        {isOnOtherComputer() ? (
          <span className={pods.address}>{address}</span>
        ) : (
          <Anchor href={`http://${address}`} target="_blank" rel="noreferrer" className={pods.address ?? ''}>
            {address}
          </Anchor>
        )}
        <CopyButton text={address} label={t`Copy address of port ${port} here`} />
        <span className={styles.traffic}>
          {t`${formatCount(open)} open of ${formatCount(total)} · ${formatBytes(sentBytes)} sent · ${formatBytes(receivedBytes)} received`}
        </span>
        <Button
          size="xs"
          variant="default"
          loading={end.isPending}
          aria-label={t`Stop forwarding port ${port}`}
          onClick={() => end.mutate({ id })}
        >{t`Stop`}</Button>
      </div>
      {problem !== null && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
    </li>
  );
}

function ForwardForm({ accountId, podId }: { accountId: string; podId: string }) {
  const [port, setPort] = useState<number | string>('');
  const [localPort, setLocalPort] = useState<number | string>('');
  const queries = useQueryClient();
  const start = useMutation(
    orpc.ssh.forward.mutationOptions({
      onSuccess() {
        setPort('');
        setLocalPort('');
      },
      onSettled: () => queries.invalidateQueries({ queryKey: orpc.ssh.forwards.key() }),
    }),
  );
  const shared = { size: 'xs', min: 1, max: LAST_PORT, allowDecimal: false, clampBehavior: 'strict' } as const;
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (typeof port !== 'number') return;
        start.mutate({ accountId, podId, port, localPort: typeof localPort === 'number' ? localPort : null });
      }}
    >
      <NumberInput
        {...shared}
        label={t`Port of the Pod`}
        {...requiredField}
        placeholder="8188"
        value={port}
        onChange={setPort}
        hideControls
      />
      <NumberInput
        {...shared}
        label={t`Port here`}
        placeholder={t`same, or a free one`}
        value={localPort}
        onChange={setLocalPort}
        hideControls
      />
      <ReasonButton
        type="submit"
        size="xs"
        variant="default"
        whyNot={typeof port === 'number' ? null : t`Enter a port of the Pod first.`}
        loading={start.isPending}
      >{t`Forward`}</ReasonButton>
      {start.isError && (
        <p className={styles.problem} role="alert">
          {errorText(start.error)}
        </p>
      )}
    </form>
  );
}
