/** Which Python runs a handler and why, the field that sets another one, and the environment that can be made. */
import { useState } from 'react';
import { Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { EndpointDetail, EndpointRow } from '#contract/app/endpointReadModels.ts';
import { isOwnEnvironment, PYTHON_VARIABLE, type HandlerFacts } from '#contract/local/folder.ts';
import type { EndpointReadiness } from '#contract/local/engine.ts';
import { api, errorText } from '../../../client/transport/orpc.ts';
import { announce } from '../../../ui/primitives/announce.tsx';
import { Id } from '../../../ui/primitives/Id.tsx';
import panel from '../../../ui/theme/panel.module.css';
import { endpointsChanged } from '../../../ui/endpoint/endpointsChanged.ts';
import { EnvironmentPart } from './EnvironmentPart.tsx';
import { originOf, PYTHON_HELP } from './pythonWords.ts';
import styles from './handler.module.css';
import { ReasonButton } from '../../../ui/popover/ReasonButton.tsx';
import { rich, t } from '../../../language/text.ts';

interface PythonBlockProps {
  accountId: string;
  row: EndpointRow;
  /** Undefined until it is read: then the field is not offered. */
  detail: EndpointDetail | undefined;
}

/** Nothing for an account that does not tell of handlers, and for handlers that are not in Python. */
export function PythonBlock({ accountId, row, detail }: PythonBlockProps) {
  const [isOpen, setOpen] = useState(false);
  const { readiness } = row;
  if (readiness?.runtime !== 'python' || readiness.handler === null) return null;
  const { python, environmentSource } = readiness.handler;
  const wanted = detail?.template?.env[PYTHON_VARIABLE] ?? '';
  return (
    <section className={panel.block} aria-label={t`Python`}>
      <h3>{t`Python`}</h3>
      <div className={styles.line}>
        <Chosen python={python} wanted={wanted} />
        {detail?.template && !isOpen && (
          <Button size="xs" variant="default" onClick={() => setOpen(true)}>{t`Change…`}</Button>
        )}
      </div>
      {isOpen && (
        <PythonForm
          accountId={accountId}
          readiness={readiness}
          wanted={wanted}
          endpointId={row.id}
          sharedWith={detail?.templateSharedWith ?? []}
          onClose={() => setOpen(false)}
        />
      )}
      <EnvironmentPart
        accountId={accountId}
        endpointId={row.id}
        source={environmentSource}
        isThere={python !== null && isOwnEnvironment(python)}
        isOverruled={wanted !== ''}
      />
    </section>
  );
}

function Chosen({ python, wanted }: Pick<HandlerFacts, 'python'> & { wanted: string }) {
  if (python === null) {
    return (
      <div className={styles.chosen}>
        <p className={styles.text}>{t`None can run it.`}</p>
        {wanted !== '' && (
          <p className={panel.hint}>{rich`${PYTHON_VARIABLE} of the template is ${<code>{wanted}</code>}.`}</p>
        )}
      </div>
    );
  }
  return (
    <div className={styles.chosen}>
      <b>{python.version}</b>
      <Id text={python.program} copyLabel={t`Copy path of this Python`} />
      <p className={panel.hint}>{originOf(python)}</p>
    </div>
  );
}

interface PythonFormProps {
  accountId: string;
  endpointId: string;
  readiness: EndpointReadiness;
  /** As the template names it; empty where it names none. */
  wanted: string;
  /** Other endpoints that are made of the same template. */
  sharedWith: readonly string[];
  onClose: () => void;
}

function PythonForm({ accountId, endpointId, readiness, wanted, sharedWith, onClose }: PythonFormProps) {
  const [text, setText] = useState(wanted);
  const typed = text.trim();
  const set = useMutation({
    mutationFn: () => api.folders.setPython({ accountId, endpointId, python: typed === '' ? null : typed }),
    async onSuccess({ handler, reason }) {
      await endpointsChanged();
      if (handler?.python === null && reason !== null) return;
      announce(t`Python changed`);
      onClose();
    },
  });
  /** What is set and cannot be run is shown at the field until another one is typed. */
  const refused = readiness.handler?.python === null && typed === wanted ? readiness.reason : null;
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (!set.isPending) set.mutate();
      }}
    >
      <TextInput
        label={t`Python to use`}
        description={PYTHON_HELP}
        placeholder={t`Automatic`}
        spellCheck={false}
        autoComplete="off"
        autoFocus
        value={text}
        error={set.isError ? errorText(set.error) : refused}
        onChange={(event) => {
          set.reset();
          setText(event.currentTarget.value);
        }}
      />
      {sharedWith.length > 0 && (
        <p className={panel.hint}>{t`This also applies to ${sharedWith.join(', ')}, which use the same template.`}</p>
      )}
      <div className={styles.actions}>
        <Button size="xs" variant="default" onClick={onClose}>{t`Cancel`}</Button>
        <ReasonButton
          size="xs"
          type="submit"
          loading={set.isPending}
          whyNot={typed === wanted ? t`Nothing has changed.` : null}
        >
          {typed === '' ? t`Let Hangar choose` : t`Use it`}
        </ReasonButton>
      </div>
    </form>
  );
}
