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
  name: accountNameSchema,
  addresses: typedAddressesSchema,
  key: typedKeySchema,
});
export type AccountDraft = z.infer<typeof accountDraftSchema>;
