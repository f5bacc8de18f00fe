/** Pauses an endpoint, so that none of its jobs starts, and resumes it. */
import { notifications } from '@mantine/notifications';
import type { EndpointRow } from '#contract/app/endpointReadModels.ts';
import { api, errorText } from '../../client/transport/orpc.ts';
import { joinSentences } from '../../language/sentences.ts';
import { counted, t } from '../../language/text.ts';
import { pausedText } from '../text/endpointState.ts';
import { formatCount } from '../text/format.ts';
import { offerUndo } from '../undo/offerUndo.tsx';
import { endpointsChanged } from './endpointsChanged.ts';

type Named = Pick<EndpointRow, 'id' | 'name'>;

/** Takes the offers away to undo the last pause, by account and endpoint. */
const offers = new Map<string, () => void>();

function withdrawOffer(place: string): void {
  offers.get(place)?.();
  offers.delete(place);
}

type Pausable = Named & Pick<EndpointRow, 'type' | 'health'>;

/** Pauses it and offers to take that back. Rejects with the reason of the service. */
export async function pauseEndpoint(accountId: string, row: Pausable): Promise<void> {
  await api.endpoints.pause({ accountId, endpointId: row.id });
  await endpointsChanged().catch(() => undefined);
  const place = `${accountId} ${row.id}`;
  withdrawOffer(place);
  const sentence = joinSentences(t`Paused ${row.name}.`, pausedText(row));
  offers.set(
    place,
    offerUndo(sentence, () => void resumeEndpoint(accountId, row)),
  );
}

/** Pauses it, from a place without room for the reason of a failure. */
export async function pauseEndpointNow(accountId: string, row: Pausable): Promise<void> {
  try {
    await pauseEndpoint(accountId, row);
  } catch (error) {
    notifications.show({ title: t`${row.name} was not paused`, message: errorText(error), 'data-tone': 'bad' });
  }
}

export async function resumeEndpoint(accountId: string, { id, name }: Named): Promise<void> {
  withdrawOffer(`${accountId} ${id}`);
  try {
    const { workersMax, isRestored } = await api.endpoints.resume({ accountId, endpointId: id });
    const most = counted(
      workersMax,
      'It may have {0} worker',
      'It may have up to {0} workers',
      formatCount(workersMax),
    );
    notifications.show({
      title: t`Resumed ${name}`,
      message: isRestored
        ? t`${most}, as before.`
        : t`${most}, the default: another program had paused it. Change this in its settings.`,
    });
  } catch (error) {
    notifications.show({ title: t`${name} was not resumed`, message: errorText(error), 'data-tone': 'bad' });
  }
  await endpointsChanged().catch(() => undefined);
}
