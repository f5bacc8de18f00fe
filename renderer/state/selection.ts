/** The selection: the target account, the last used endpoint, and the shown job of each endpoint. */
import * as z from 'zod';
import { THIS_MACHINE } from '#contract/app/account.ts';
import { personalSetting, personalSettings } from './personalSetting.ts';

/** The id of the target account. */
export const targetAccount = personalSetting('account', z.string(), THIS_MACHINE);

/** By draft key: the job on the Run page, also after a reload. Null if the person closed it. */
export const shownEntry = personalSettings('shown', z.string(), null);

/** By account. */
export const lastEndpoint = personalSettings('endpoint', z.string(), null);
