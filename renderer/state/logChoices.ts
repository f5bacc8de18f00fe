/** What a person chose for all logs. */
import * as z from 'zod';
import { asJson, personalSetting } from './personalSetting.ts';

/** Whether each line shows its time. */
export const logTimes = personalSetting('logs.times', asJson(z.boolean()), true);

/** Whether a line that is longer than the log is wide goes on in the next row. */
export const logWrap = personalSetting('logs.wrap', asJson(z.boolean()), true);
