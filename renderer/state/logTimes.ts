/** Whether logs show the time of each line: a choice of a person. */
import * as z from 'zod';
import { asJson, personalSetting } from './personalSetting.ts';

export const logTimes = personalSetting('logs.times', asJson(z.boolean()), true);
