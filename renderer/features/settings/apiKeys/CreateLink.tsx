/** The first step of a dialog that creates a pairing link: what the link allows, and the button that creates it. */
import type { ReactNode } from 'react';
import { Button, Group, Stack, Text } from '@mantine/core';
import type { UseMutationResult } from '@tanstack/react-query';
import { errorText } from '../../../client/transport/orpc.ts';
import { Notice } from '../../../ui/primitives/Notice.tsx';
import { t } from '../../../language/text.ts';

interface CreateLinkProps {
  create: Pick<UseMutationResult<unknown, Error, void>, 'mutate' | 'isPending' | 'isError' | 'error'>;
  close: () => void;
  /** What whoever has the link may do, and for how long. */
  children: ReactNode;
}

export function CreateLink({ create, close, children }: CreateLinkProps) {
  return (
    <Stack gap={12}>
      <Text fz="sm">{children}</Text>
      {create.isError && (
        <Notice tone="bad" title={t`Not created.`}>
          {errorText(create.error)}
        </Notice>
      )}
      <Group justify="flex-end" gap={8}>
        <Button variant="default" onClick={close}>{t`Cancel`}</Button>
        <Button data-autofocus loading={create.isPending} onClick={() => create.mutate()}>{t`Create the link`}</Button>
      </Group>
    </Stack>
  );
}
