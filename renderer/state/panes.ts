/** Sizes of resized panes, in percent, by the place of the panes. */
import * as z from 'zod';
import { asJson, personalSettings } from './personalSetting.ts';

export const paneSizes = personalSettings('panes', asJson(z.record(z.string(), z.number())), null);
