/** For an account that takes jobs and does not list its endpoints: the person names one by its id. */
import { useState } from 'react';
import { Group, TextInput } from '@mantine/core';
import type { EndpointSummary } from '#contract/bridge/index.ts';
import { navigate } from '../../state/route.ts';
import { Empty } from '../../ui/primitives/Notice.tsx';
import { ReasonButton } from '../../ui/popover/ReasonButton.tsx';
import { t } from '../../language/text.ts';

/** A list with the endpoint of this id, of which nothing else is known; empty without an id. */
export const blindList = (accountId: string, id: string | null): EndpointSummary[] =>
  id === null
    ? []
    : [
        {
          accountId,
          id,
          name: id,
          imageName: null,
          workersMin: 0,
          // Not known; 0 would mean that it is paused.
          workersMax: 1,
          runtime: null,
          publicSdk: null,
          available: true,
          reason: null,
          sampleInput: null,
          description: null,
        },
      ];

export function BlindPicker({ reason }: { reason: string }) {
  const [id, setId] = useState('');
  const wanted = id.trim();
  return (
    <Empty
      title={t`This account does not list its endpoints`}
      action={
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (wanted !== '') navigate({ page: 'run', endpointId: wanted });
          }}
        >
          <Group gap={8} align="flex-end">
            <TextInput
              label={t`Id of the endpoint`}
              spellCheck={false}
              autoComplete="off"
              maxLength={100}
              value={id}
              onChange={(event) => setId(event.currentTarget.value)}
            />
            <ReasonButton type="submit" whyNot={wanted === '' ? t`Enter an id first.` : null}>{t`Use it`}</ReasonButton>
          </Group>
        </form>
      }
    >{t`${reason} Jobs can be sent to an endpoint whose id you know.`}</Empty>
  );
}
