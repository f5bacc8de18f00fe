/** What the job API of an engine allows: requests per operation, sizes and times. Saved as they are changed. */
import { useState } from 'react';
import { Button, Select, Skeleton, Switch } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { THIS_MACHINE } from '#contract/app/account.ts';
import type { EngineSettingsChange } from '#contract/bridge/machine.ts';
import { defaultSettings, ratedOperations, type StreamAnswer } from '#contract/local/settings.ts';
import { useTarget } from '../../client/accounts.ts';
import { api, errorText, orpc } from '../../client/transport/orpc.ts';
import { announce } from '../../ui/primitives/announce.tsx';
import { Empty } from '../../ui/primitives/Notice.tsx';
import { limitGroups } from './limitFields.ts';
import { NumberField } from './NumberField.tsx';
import styles from './settings.module.css';

const STREAM_ANSWERS: { value: StreamAnswer; label: string }[] = [
  { value: 'auto', label: 'By who asks' },
  { value: 'array', label: 'A list of chunks' },
  { value: 'envelope', label: 'An envelope' },
];

type Save = (field: string, change: EngineSettingsChange) => void;

function useEngineSettings(accountId: string) {
  const queries = useQueryClient();
  const options = orpc.machine.engineSettings.queryOptions({ input: { accountId }, retry: false });
  const query = useQuery(options);
  const [refused, setRefused] = useState<Readonly<Record<string, string>>>({});
  const change = useMutation({
    mutationFn: (asked: { field: string; change: EngineSettingsChange }) =>
      api.machine.changeEngineSettings({ accountId, change: asked.change }),
    onSuccess: (settings, { field }) => {
      queries.setQueryData(options.queryKey, settings);
      setRefused(({ [field]: _, ...others }) => others);
      announce('Saved');
    },
    onError: (failure, { field }) => setRefused((others) => ({ ...others, [field]: errorText(failure) })),
  });
  const save: Save = (field, asked) => change.mutate({ field, change: asked });
  return { query, save, errorOf: (field: string) => refused[field] ?? null };
}

/** Of the target, where that is an engine; else of this computer. */
export function LimitsTab() {
  const { account, accountId, name } = useTarget();
  if (account === null) return null;
  const isEngine = account.capabilities.includes('local');
  return isEngine ? (
    <Limits key={accountId} accountId={accountId} name={name} />
  ) : (
    <Limits accountId={THIS_MACHINE} name="this computer" />
  );
}

function Limits({ accountId, name }: { accountId: string; name: string }) {
  const { query, save, errorOf } = useEngineSettings(accountId);
  const { data } = query;
  if (!data && query.isError) {
    return (
      <Empty
        title="The settings could not be read"
        action={
          <Button loading={query.isFetching} onClick={() => void query.refetch()}>
            Try again
          </Button>
        }
      >
        {errorText(query.error)}
      </Empty>
    );
  }
  if (!data) {
    return (
      <div className={styles.body} aria-busy="true" aria-label="Loading" role="group">
        <section className={styles.block}>
          {[0, 1, 2, 3].map((row) => (
            <Skeleton key={row} h={12} w={`${60 - row * 8}%`} radius={4} mx={14} my={12} />
          ))}
        </section>
      </div>
    );
  }
  const { rates, limits, answers } = data;
  const usual = defaultSettings;
  return (
    <div className={styles.body} tabIndex={0} role="region" aria-label="Rates and limits">
      <section className={styles.block} aria-labelledby="rates">
        <h2 id="rates">Requests that {name} takes</h2>
        <p>
          In any 10 s, and at the same time, of each operation of one endpoint. What is more is refused with 429, as the
          public service does. Saved as you change them.
        </p>
        <div className={styles.switches}>
          <Switch
            size="xs"
            label="Count requests"
            description="Without, nothing is refused for its rate."
            checked={rates.enabled}
            onChange={(event) => save('enabled', { rates: { enabled: event.currentTarget.checked } })}
          />
        </div>
        <div className={styles.tableScroll}>
          <table className={styles.rates}>
            <thead>
              <tr>
                <th scope="col">Operation</th>
                <th scope="col">In 10 s</th>
                <th scope="col">At once</th>
              </tr>
            </thead>
            <tbody>
              {ratedOperations.map((operation) => (
                <tr key={operation}>
                  <th scope="row">
                    <code>/{operation}</code>
                  </th>
                  {(['requests', 'concurrent'] as const).map((what) => {
                    const field = `${operation}.${what}`;
                    return (
                      <td key={what}>
                        <NumberField
                          hideLabel
                          label={`/${operation}, ${what === 'requests' ? 'in 10 s' : 'at once'}`}
                          className={styles.small ?? ''}
                          value={rates.operations[operation][what]}
                          usual={usual.rates.operations[operation][what]}
                          mayBeNone={what === 'concurrent'}
                          error={errorOf(field)}
                          onChange={(value) =>
                            save(field, { rates: { operations: { [operation]: { [what]: value } } } })
                          }
                        />
                      </td>
                    );
                  })}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        <div className={styles.fields}>
          <NumberField
            label="More for each running worker, in 10 s"
            value={rates.requestsPerWorker}
            usual={usual.rates.requestsPerWorker}
            error={errorOf('requestsPerWorker')}
            onChange={(value) => save('requestsPerWorker', { rates: { requestsPerWorker: value ?? 0 } })}
          />
        </div>
      </section>
      {answers && (
        <section className={styles.block} aria-label="Answers">
          <h2>Answers</h2>
          <p>
            The service description says that /stream answers a list of chunks. Most clients of the cloud read an
            envelope with the status of the job instead.
          </p>
          <div className={styles.fields}>
            <Select
              size="xs"
              label="What /stream answers"
              allowDeselect={false}
              data={STREAM_ANSWERS}
              value={answers.stream}
              error={errorOf('answers.stream')}
              onChange={(value) => save('answers.stream', { answers: { stream: value as StreamAnswer } })}
            />
          </div>
        </section>
      )}
      {limitGroups.map(({ title, fields }) => (
        <section key={title} className={styles.block} aria-label={title}>
          <h2>{title}</h2>
          <div className={styles.fields}>
            {fields.map(({ id, label, unit, factor, read, write }) => (
              <NumberField
                key={id}
                label={label}
                unit={unit}
                value={read(limits) / factor}
                usual={read(usual.limits) / factor}
                error={errorOf(id)}
                onChange={(value) => save(id, { limits: write(Math.round((value ?? 0) * factor)) })}
              />
            ))}
          </div>
        </section>
      ))}
    </div>
  );
}
