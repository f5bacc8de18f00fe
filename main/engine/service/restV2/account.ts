/** The SSH keys of the account in REST v2. */
import * as z from 'zod';
import type { Account } from '../../domain/access/owner.ts';
import { operation, type RestV2Operation } from './protocol/operation.ts';
import type { Named } from '../openapi/operation.ts';

const updateRequest = {
  name: 'UpdateSshKeysRequest',
  schema: z.strictObject({
    keys: z.array(
      z
        .string()
        .regex(
          /^(ssh|ecdsa|sk)-[^\s]+ [^\s]+([ \t][^\n\r]*)?$/,
          'must be a line of authorized_keys, such as ssh-ed25519 AAAA… me@host',
        ),
    ),
  }),
} satisfies Named;
const keysAnswer = { name: 'SshKeys', schema: z.object({ keys: z.array(z.string()) }) } satisfies Named;

export function accountOperations(account: Account): RestV2Operation[] {
  const group = 'Account';
  const path = '/account/ssh-keys';
  const answers = { 200: { words: 'The keys.', shape: keysAnswer } };
  const keys = () => ({
    keys: account
      .pubKey()
      .split(/\r?\n/)
      .filter((line) => line.trim() !== ''),
  });
  return [
    operation({
      method: 'get',
      path,
      id: 'getSshKeys',
      group,
      need: 'read',
      answers,
      summary: 'Tells the SSH keys that Pods are given.',
      run: keys,
    }),
    operation({
      method: 'put',
      path,
      id: 'updateSshKeys',
      group,
      need: 'all',
      answers,
      summary: 'Takes these keys in place of those before. Pods that are made from now on are given them.',
      body: updateRequest,
      run({ body }) {
        account.setPubKey(body.keys.join('\n'));
        return keys();
      },
    }),
  ];
}
