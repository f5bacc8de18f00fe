/** A newer version for which the person must decide. Settings shows all details of updates. */
import { useState } from 'react';
import { Button } from '@mantine/core';
import { useUpdates } from '../../client/updates.ts';
import { UpdateChoices } from '../../ui/domain/UpdateChoices.tsx';
import { Id } from '../../ui/primitives/Id.tsx';
import { Notice } from '../../ui/primitives/Notice.tsx';
import { updateWords } from '../../ui/text/updateLabels.ts';
import { t } from '../../language/text.ts';

export function UpdateBanner() {
  const status = useUpdates((updates) => updates.status);
  const [dismissed, setDismissed] = useState<string | null>(null);
  if (status === null) return null;
  const { state, version, plan, manual, command } = status;
  if (state === 'available' && manual !== null && dismissed !== version) {
    return (
      <Notice
        tone="off"
        title={t`A new version is available.`}
        action={<Button size="xs" variant="default" onClick={() => setDismissed(version)}>{t`Dismiss`}</Button>}
      >
        {updateWords(status)} {manual} {command !== null && <Id text={command} copyLabel={t`Copy command`} />}
      </Notice>
    );
  }
  if (state === 'waiting' || state === 'installing' || (state === 'ready' && plan === null)) {
    return (
      <Notice
        tone={state === 'waiting' ? 'wait' : 'off'}
        title={state === 'waiting' ? t`The update is waiting.` : t`An update is ready.`}
        action={<UpdateChoices status={status} />}
      >
        {updateWords(status)}
      </Notice>
    );
  }
  return null;
}
