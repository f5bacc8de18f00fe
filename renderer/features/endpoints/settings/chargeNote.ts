/** What a new endpoint costs, in a few words. */
import { t } from '../../../language/text.ts';

export const chargeNote = (target: string, spends: boolean): string =>
  spends ? t`Workers on ${target} cost money while they run` : t`Runs on ${target}: no account is charged`;
