/** The container engine on the computer of an account, asked again while it is shown: a person may start or stop it. */
import { useQuery } from '@tanstack/react-query';
import type { Machine } from '#contract/local/machine.ts';
import { machineOptions } from '../../../client/machine.ts';

const EVERY_MS = 10_000;

/** Undefined until it is known. */
export const useContainers = (accountId: string): Machine['containers'] | undefined =>
  useQuery({ ...machineOptions(accountId), refetchInterval: EVERY_MS }).data?.containers;
