/** The record of a Pod from its service; values of variables are shown only on request. */
import { useState } from 'react';
import { Switch } from '@mantine/core';
import type { PodRow } from '#contract/bridge/pod.ts';
import { TextView } from '../../ui/job/TextView.tsx';
import styles from './pods.module.css';
import { t } from '../../language/text.ts';

const hidden = (env: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.keys(env).map((name) => [name, '•••']));

export function JsonTab({ row: { pod, facts } }: { row: PodRow }) {
  const [shown, setShown] = useState(false);
  const shownRow = { pod: shown ? pod : { ...pod, env: hidden(pod.env) }, facts };
  return (
    <>
      {Object.keys(pod.env).length > 0 && (
        <div className={styles.jsonTools}>
          <Switch
            size="xs"
            label={t`With the values of its variables`}
            checked={shown}
            onChange={(event) => setShown(event.currentTarget.checked)}
          />
        </div>
      )}
      <TextView
        text={JSON.stringify(shownRow, null, 2)}
        what={t`Pod as JSON`}
        copyLabel={t`Copy Pod as JSON`}
        language="JSON"
      />
    </>
  );
}
