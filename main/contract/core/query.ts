/** Schemas for the query of a URL. */
import * as z from 'zod';

/** `true` or `false`; false if it is missing. */
export const flag = z
  .enum(['true', 'false'])
  .transform((text) => text === 'true')
  .default(false);

/** A filter with several values: repeated in the query, or separated by commas. */
export const several = z
  .union([z.string(), z.array(z.string())])
  .transform((value) => [value].flat().flatMap((text) => text.split(',')))
  .optional();
