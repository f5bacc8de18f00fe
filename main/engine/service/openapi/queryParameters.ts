/** Parameters of queries whose text stands for another type, as the documents show them. */
import * as z from 'zod';
import type { QueryParameter } from './operation.ts';

/** `true` or `false`; false without it. */
export const flag = (words: string): QueryParameter => ({ schema: z.boolean().default(false), words });

/** Several texts: the parameter more than once, or with commas. */
export const several = (words: string): QueryParameter => ({ schema: z.array(z.string()), words });

/** A whole number, `min` or more. */
export const wholeNumber = (words: string, { min, max }: { min: number; max?: number }): QueryParameter => {
  const schema = z.int().min(min);
  return { schema: max === undefined ? schema : schema.max(max), words };
};
