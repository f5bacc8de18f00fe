/**
 * The file of the accounts. It is read as far as it is valid, and written completely or not at all. It never contains a
 * key.
 */
import { closeSync, copyFileSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { accountCapabilities, accountDialects, accountKeySchema, THIS_MACHINE } from '#contract/app/account.ts';
import * as z from 'zod';

const capability = z.enum(accountCapabilities);

/** Loose at every level: an older version keeps the unknown fields of a newer one. */
const storedAccountSchema = z.looseObject({
  id: z.string().min(1),
  name: z.string().min(1),
  kind: z.enum(['engine', 'cloud']),
  dialect: z.enum(accountDialects),
  addresses: z.looseObject({
    jobs: z.string().nullable(),
    management: z.string().nullable(),
    graphql: z.string().nullable(),
  }),
  // The next probe finds these again, so a fallback loses nothing.
  capabilities: z.array(capability).catch([]),
  lacks: z.array(z.looseObject({ capability, reason: z.string() })).catch([]),
  probedAt: z.number().nullable().catch(null),
  key: z.looseObject(accountKeySchema.shape).nullable(),
  addedAt: z.number(),
  lastUsedAt: z.number().nullable().catch(null),
});
export type StoredAccount = z.infer<typeof storedAccountSchema>;

const fileSchema = z.looseObject({ accounts: z.array(z.unknown()) });

export interface AccountFile {
  readonly accounts: readonly StoredAccount[];
  /** Faults of the file when it was read, for a person; null if all of it was valid. */
  readonly notice: string | null;
  write(accounts: readonly StoredAccount[]): void;
}

/** Parses the file. Of a damaged text, only valid entries remain. */
function understood(text: string): { accounts: StoredAccount[]; rest: Record<string, unknown>; lost: number | null } {
  let parsed;
  try {
    parsed = fileSchema.safeParse(JSON.parse(text));
  } catch {
    // The text is not JSON: the caller reports the file and keeps it.
    parsed = null;
  }
  if (!parsed?.success) return { accounts: [], rest: {}, lost: null };
  const { accounts: entries, ...rest } = parsed.data;
  const ids = new Set<string>([THIS_MACHINE]);
  const accounts: StoredAccount[] = [];
  for (const entry of entries) {
    const account = storedAccountSchema.safeParse(entry);
    if (!account.success || ids.has(account.data.id)) continue;
    ids.add(account.data.id);
    accounts.push(account.data);
  }
  return { accounts, rest, lost: entries.length - accounts.length };
}

export const accountsPath = (dataDir: string): string => join(dataDir, 'accounts.json');

/**
 * Opens the file, and sets a damaged one aside. Throws if a file exists that cannot be read, or cannot be set aside.
 */
export function openAccountFile(dataDir: string, now: () => number): AccountFile {
  const path = accountsPath(dataDir);
  let rest: Record<string, unknown> = {};
  let accounts: StoredAccount[] = [];
  let notice: string | null = null;
  let text: string | null = null;
  try {
    text = readFileSync(path, 'utf8');
  } catch (thrown) {
    if (!(thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT')) throw thrown;
  }
  if (text !== null) {
    const read = understood(text);
    ({ accounts, rest } = read);
    if (read.lost !== 0) {
      const aside = join(dataDir, `accounts.damaged-${now()}.json`);
      copyFileSync(path, aside);
      notice =
        read.lost === null
          ? `The file of accounts was damaged: none could be read. It was set aside as ${aside}; add your accounts again.`
          : `${read.lost} of the accounts in their file could not be read. The file was set aside as ${aside}; add again what is missing.`;
    }
  }
  return {
    accounts,
    notice,
    write(next) {
      const half = `${path}.new`;
      const file = openSync(half, 'w', 0o600);
      try {
        writeFileSync(file, `${JSON.stringify({ ...rest, accounts: next }, null, 2)}\n`);
        // Without this, a crash right after the rename could leave an empty file.
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
      renameSync(half, path);
    },
  };
}
