/** The limits of an engine's job API: requests for each operation, sizes and times. Changes are saved immediately. */
import { Select, Skeleton } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { THIS_MACHINE } from '#contract/app/account.ts';
import type { EngineSettings, EngineSettingsChange } from '#contract/bridge/machine.ts';
import { defaultSettings as usual, ratedOperations, type StreamAnswer } from '#contract/local/settings.ts';
import { useTarget } from '../../client/accounts.ts';
import { api, errorText, orpc } from '../../client/transport/orpc.ts';
import { useCommands } from '../../state/commands.ts';
import { LoadError } from '../../ui/domain/LoadError.tsx';
import { limitGroups, type LimitGroup } from './limitFields.ts';
import { NumberField } from './NumberField.tsx';
import { SavedSwitch } from '../../ui/saved/SavedSwitch.tsx';
import { useSavedFields, type SavedFields } from '../../ui/saved/useSavedFields.ts';
import styles from './settings.module.css';
import { t } from '../../language/text.ts';

const STREAM_ANSWERS: { value: StreamAnswer; label: string }[] = [
  { value: 'auto', label: t`Depends on the client` },
  { value: 'array', label: t`A list of chunks` },
  { value: 'envelope', label: t`An envelope` },
];

function useEngineSettings(accountId: string) {
  const queries = useQueryClient();
  const options = orpc.machine.engineSettings.queryOptions({ input: { accountId }, retry: false });
  const query = useQuery(options);
  const { change, errorOf } = useSavedFields({
    save: (edit: EngineSettingsChange) => api.machine.changeEngineSettings({ accountId, change: edit }),
    onSaved: (settings) => queries.setQueryData(options.queryKey, settings),
  });
  return { query, save: change, errorOf };
}

/** The limits of the target if it is an engine; otherwise of this computer. */
export function LimitsTab() {
  const { account, accountId, name } = useTarget();
  if (account === null) return null;
  const isEngine = account.capabilities.includes('local');
  return isEngine ? (
    <Limits key={accountId} accountId={accountId} name={name} />
  ) : (
    <Limits accountId={THIS_MACHINE} name={t`this computer`} />
  );
}

function Limits({ accountId, name }: { accountId: string; name: string }) {
  const { query, save, errorOf } = useEngineSettings(accountId);
  const { data } = query;
  if (!data && query.isError) {
    return (
      <LoadError
        source={{ accountId }}
        title={t`The limits could not be read`}
        problem={errorText(query.error)}
        retry={() => void query.refetch()}
      />
    );
  }
  if (!data) {
    return (
      <div className={styles.body} aria-busy="true" aria-label={t`Loading`} role="group">
        <section className={styles.block}>
          {[0, 1, 2, 3].map((row) => (
            <Skeleton key={row} h={12} w={`${60 - row * 8}%`} radius={4} mx={14} my={12} />
          ))}
        </section>
      </div>
    );
  }
  const { rates, limits, answers } = data;
  return (
    <div className={styles.body} tabIndex={0} role="region" aria-label={t`Rates and limits`}>
      <RatesBlock name={name} rates={rates} save={save} errorOf={errorOf} />
      {answers && <AnswersBlock answers={answers} save={save} errorOf={errorOf} />}
      {limitGroups.map((group) => (
        <LimitsBlock key={group.title} group={group} limits={limits} save={save} errorOf={errorOf} />
      ))}
    </div>
  );
}

interface BlockProps {
  save: SavedFields<EngineSettingsChange>['change'];
  errorOf: SavedFields<EngineSettingsChange>['errorOf'];
}

function RatesBlock({ name, rates, save, errorOf }: BlockProps & { name: string; rates: EngineSettings['rates'] }) {
  useCommands([
    {
      label: rates.enabled ? t`Limit requests: turn off` : t`Limit requests: turn on`,
      run: () => void save('enabled', { rates: { enabled: !rates.enabled } }),
    },
  ]);
  return (
    <section className={styles.block} aria-labelledby="rates">
      <h2 id="rates">{t`Request limits of ${name}`}</h2>
      <p>{t`Per operation of an endpoint, in any 10 s and at the same time. Further requests are refused with 429, as in the public service.`}</p>
      <div className={styles.switches}>
        <SavedSwitch
          label={t`Limit requests`}
          description={t`When off, no rate limits apply.`}
          checked={rates.enabled}
          onChange={(isOn) => save('enabled', { rates: { enabled: isOn } })}
        />
      </div>
      <div className={styles.tableScroll}>
        <table className={styles.rates}>
          <thead>
            <tr>
              <th scope="col">{t`Operation`}</th>
              <th scope="col">{t`In 10 s`}</th>
              <th scope="col">{t`At the same time`}</th>
            </tr>
          </thead>
          <tbody>
            {ratedOperations.map((operation) => (
              <tr key={operation}>
                <th scope="row">
                  <code>/{operation}</code>
                </th>
                {(['requests', 'concurrent'] as const).map((what) => (
                  <td key={what}>
                    <NumberField
                      hideLabel
                      label={`/${operation}, ${what === 'requests' ? t`in 10 s` : t`at the same time`}`}
                      className={styles.small ?? ''}
                      value={rates.operations[operation][what]}
                      usual={usual.rates.operations[operation][what]}
                      {...(what === 'concurrent' && { none: t`no limit` })}
                      error={errorOf(`${operation}.${what}`)}
                      onChange={(value) =>
                        void save(`${operation}.${what}`, { rates: { operations: { [operation]: { [what]: value } } } })
                      }
                    />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div className={styles.fields}>
        <NumberField
          label={t`Extra per running worker, in 10 s`}
          value={rates.requestsPerWorker}
          usual={usual.rates.requestsPerWorker}
          error={errorOf('requestsPerWorker')}
          onChange={(value) => void save('requestsPerWorker', { rates: { requestsPerWorker: value ?? 0 } })}
        />
      </div>
    </section>
  );
}

type Answers = NonNullable<EngineSettings['answers']>;

function AnswersBlock({ answers, save, errorOf }: BlockProps & { answers: Answers }) {
  return (
    <section className={styles.block} aria-label={t`Answers`}>
      <h2>{t`Answers`}</h2>
      <p>{t`According to its API description, /stream returns a list of chunks. Most clients of the cloud expect an envelope with the status of the job instead.`}</p>
      <div className={styles.fields}>
        <Select
          size="xs"
          label={t`What /stream returns`}
          allowDeselect={false}
          data={STREAM_ANSWERS}
          value={answers.stream}
          error={errorOf('answers.stream')}
          onChange={(value) => value !== null && void save('answers.stream', { answers: { stream: value } })}
        />
      </div>
    </section>
  );
}

interface LimitsBlockProps extends BlockProps {
  group: LimitGroup;
  limits: EngineSettings['limits'];
}

function LimitsBlock({ group: { title, fields }, limits, save, errorOf }: LimitsBlockProps) {
  return (
    <section className={styles.block} aria-label={title}>
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
            onChange={(value) => void save(id, { limits: write(Math.round((value ?? 0) * factor)) })}
          />
        ))}
      </div>
    </section>
  );
}
