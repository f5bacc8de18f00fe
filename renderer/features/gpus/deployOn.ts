/** Opens the sheet for a new Pod with a GPU type. */
import { openNewPod } from '../../state/overlays.ts';
import { navigate, useRoute } from '../../state/route.ts';

/** The Pod is for the target account. */
export function deployOn(gpuTypeId: string): void {
  const from = useRoute.getState();
  navigate({ page: 'pods', podId: null, tab: 'logs' });
  openNewPod({ gpuTypeId, from });
}
