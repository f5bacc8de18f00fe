/** What the page shows of endpoints is read again after it changed one. */
import { orpc, queryClient } from '../../client/transport/orpc.ts';

/** After something was made, changed or removed here, everything that lists endpoints is asked again. */
export const endpointsChanged = (): Promise<void> => queryClient.invalidateQueries({ queryKey: orpc.endpoints.key() });
