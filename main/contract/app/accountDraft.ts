/** An account as a person types it, before it is added. */
import * as z from 'zod';
import { limits } from '../core/limits.ts';

/** Types of accounts that a person can add. */
export const accountPresetIds = ['runpod', 'addresses', 'engine'] as const;

export const accountNameSchema = z.string().trim().min(1).max(limits.accounts.nameLength);
export const typedKeySchema = z.string().trim().min(1).max(limits.accounts.keyLength);
const addressSchema = z.string().trim().max(limits.accounts.addressLength).nullable();

/** The addresses as the person typed them. A trailing slash, `/v1`, `/v2` and `/graphql` are accepted. */
export const typedAddressesSchema = z.object({
  jobs: addressSchema,
  management: addressSchema,
  graphql: addressSchema,
});
export type TypedAddresses = z.infer<typeof typedAddressesSchema>;

/** An account that is not saved yet. */
export const accountDraftSchema = z.object({
  preset: z.enum(accountPresetIds),
  /** null, for an engine: the name of its machine, which the engine itself tells. */
  name: accountNameSchema.nullable(),
  addresses: typedAddressesSchema,
  key: typedKeySchema,
});
export type AccountDraft = z.infer<typeof accountDraftSchema>;

/** Whether another account has the name, in any case. `taken`: the names of all accounts. */
export const isNameTaken = (name: string, taken: readonly string[]): boolean =>
  taken.some((other) => other.toLowerCase() === name.toLowerCase());

/** The name of an account that the person did not name. The second account of a name gets a number. */
export function freeAccountName(usual: string, taken: readonly string[]): string {
  let name = usual;
  for (let number = 2; isNameTaken(name, taken); number += 1) name = `${usual} ${number}`;
  return name;
}
