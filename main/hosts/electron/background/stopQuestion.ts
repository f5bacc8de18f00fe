/** Asks before the tray stops a Pod. */
import { dialog } from 'electron';
import type { RunningPod } from './trayFacts.ts';

/** Returns whether the person wants it. Cancel is the default. */
export async function askAtStop({ name, accountName, volumePath }: RunningPod): Promise<boolean> {
  const volumeSentence =
    volumePath === null
      ? 'It has no volume: what its programs do not keep elsewhere may be lost.'
      : `Files in ${volumePath}, on its volume, are kept.`;
  const { response } = await dialog.showMessageBox({
    type: 'question',
    message: `Stop the Pod ${name} of ${accountName}?`,
    detail: `Everything that runs in it stops. ${volumeSentence} While stopped, it costs only its volume.`,
    buttons: ['Stop the Pod', 'Cancel'],
    defaultId: 1,
    cancelId: 1,
  });
  return response === 0;
}
