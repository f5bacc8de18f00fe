/** Checks an input against a schema while it is written. */
import { useMemo } from 'react';
import { useQuery } from '@tanstack/react-query';
import { loadModule } from '../../../ui/primitives/lazyPart.ts';
import type { InputCheck } from './inputChecks.ts';
import { t } from '../../../language/text.ts';

const UNCHECKED: InputCheck = { misfits: [], more: 0, problem: null };

/** `schema`: null without one, or if it cannot be read; nothing is loaded then. */
export function useInputCheck(schema: string | null, body: string): InputCheck {
  const { data: module, isError } = useQuery({
    queryKey: ['code', 'inputChecks'],
    queryFn: () => loadModule(() => import('./inputChecks.ts')),
    enabled: schema !== null,
    staleTime: Infinity,
    structuralSharing: false,
    // It tries again by itself.
    retry: false,
  });
  const check = useMemo(() => (module && schema !== null ? module.createInputCheck(schema) : null), [module, schema]);
  return useMemo(() => {
    if (check !== null) return check(body);
    if (!isError || schema === null) return UNCHECKED;
    return { ...UNCHECKED, problem: t`The check of the input could not be loaded. Reload the page.` };
  }, [check, body, isError, schema]);
}
