/** The messages between the app and the process that calls the system's keychain. */
import * as z from 'zod';
import { secretTroubles } from '#contract/bridge/secrets.ts';

const baseRequest = z.object({ id: z.int(), service: z.string(), name: z.string() });

export const keychainRequestSchema = z.discriminatedUnion('op', [
  baseRequest.extend({ op: z.literal('get') }),
  baseRequest.extend({ op: z.literal('set'), value: z.string() }),
  baseRequest.extend({ op: z.literal('delete') }),
]);
export type KeychainRequest = z.infer<typeof keychainRequestSchema>;

export const keychainAnswerSchema = z.discriminatedUnion('ok', [
  /** `value`: the requested secret; null if there is no such entry, and for calls without a result. */
  z.object({ id: z.int(), ok: z.literal(true), value: z.string().nullable() }),
  z.object({ id: z.int(), ok: z.literal(false), trouble: z.enum(secretTroubles), reason: z.string() }),
]);
export type KeychainAnswer = z.infer<typeof keychainAnswerSchema>;
