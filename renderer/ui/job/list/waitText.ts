/** Why a job waits, as the engine tells it: one reason, and at its end the number of jobs that go before this one. */
import { formatCount } from '../../text/format.ts';
import { withFieldLabels } from '../../text/fieldLabels.ts';
import { t } from '../../../language/text.ts';

const AHEAD = / (At least )?(\d+) jobs? goe?s? before it\.$/;
/** The engine names the limit that no further worker may exceed. */
const MAXIMUM = /\bworkersMax is \d+/;

/** The reason alone, with the labels of the window: true of all jobs of the endpoint, and of a job that is over. */
export const waitReason = (waiting: string): string => withFieldLabels(waiting.replace(AHEAD, ''));

/** The place of the job in the queue; null for the first one, and where nobody counted. */
export function waitPlace(waiting: string): string | null {
  const [, least, ahead] = AHEAD.exec(waiting) ?? [];
  if (ahead === undefined) return null;
  if (least !== undefined) return t`At least ${formatCount(Number(ahead))} jobs before it`;
  return placeWords(Number(ahead) + 1);
}

/** What tells a waiting job from its neighbours stands first, where a narrow list still shows it. */
export function waitLine(waiting: string): string {
  const place = waitPlace(waiting);
  const reason = waitReason(waiting);
  return place === null ? t`Waiting: ${reason}` : `${place} · ${reason}`;
}

/** Whether more workers could take the job if the settings of its endpoint allowed them. */
export const isLimited = (waiting: string): boolean => MAXIMUM.test(waiting);

const ordinals = new Intl.PluralRules('en', { type: 'ordinal' });

/** English has four endings. A translation may give each the same words. */
function placeWords(place: number): string {
  const number = formatCount(place);
  switch (ordinals.select(place)) {
    case 'one':
      return t`${number}st in the queue`;
    case 'two':
      return t`${number}nd in the queue`;
    case 'few':
      return t`${number}rd in the queue`;
    default:
      return t`${number}th in the queue`;
  }
}
