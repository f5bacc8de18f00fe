/** What the query of an address says: text, or several texts, and what they mean. */
import * as z from 'zod';

/** `true` or `false`; false where it is not said. */
export const flag = z
  .enum(['true', 'false'])
  .transform((text) => text === 'true')
  .default(false);

/** A filter with several values: given more than once, or with commas. */
export const several = z
  .union([z.string(), z.array(z.string())])
  .transform((value) => [value].flat().flatMap((text) => text.split(',')))
  .optional();
