/** Asks before the tray stops a Pod. */
import { dialog } from 'electron';
import type { RunningPod } from './tray/facts.ts';
import { menuCase, t } from '../language/text.ts';

/** Returns whether the person wants it. Cancel is the default. */
export async function askAtStop({ name, accountName, volumePath }: RunningPod): Promise<boolean> {
  const volumeSentence =
    volumePath === null
      ? t`It has no volume: what its programs do not keep elsewhere may be lost.`
      : t`Files in ${volumePath}, on its volume, are kept.`;
  const { response } = await dialog.showMessageBox({
    type: 'question',
    message: t`Stop the Pod ${name} of ${accountName}?`,
    detail: [t`Everything that runs in it stops.`, volumeSentence, t`While stopped, it costs only its volume.`].join(
      ' ',
    ),
    buttons: [menuCase(t`Stop the Pod`), t`Cancel`],
    defaultId: 1,
    cancelId: 1,
  });
  return response === 0;
}
