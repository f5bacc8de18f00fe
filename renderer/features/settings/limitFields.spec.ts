import { describe, expect, it } from 'vitest';
import { defaultSettings, settingsChangeSchema, settingsSchema } from '#contract/local/settings.ts';
import { limitGroups } from './limitFields.ts';

const fields = limitGroups.flatMap((group) => group.fields);

/** Every number of a record, by the path to it. */
const numbers = (record: object, at = ''): string[] =>
  Object.entries(record).flatMap(([name, value]: [string, unknown]) =>
    typeof value === 'object' && value !== null ? numbers(value, `${at}${name}.`) : [`${at}${name}`],
  );

describe('the fields of the limits', () => {
  it('are all the limits that can be changed', () => {
    expect(fields.map(({ id }) => id).toSorted()).toEqual(
      numbers(settingsSchema.shape.limits.parse(defaultSettings.limits)).toSorted(),
    );
  });

  it.each(fields.map((field) => [field.id, field] as const))('%s writes what it reads', (_, field) => {
    const value = field.read(defaultSettings.limits);
    const change = settingsChangeSchema.parse({ limits: field.write(value) });
    expect(defaultSettings.limits).toMatchObject(change.limits ?? {});
  });

  it.each(fields.map((field) => [field.id, field] as const))(
    '%s is a number that a person reads without counting digits',
    (_, field) => {
      expect(field.read(defaultSettings.limits) / field.factor).toBeGreaterThanOrEqual(1);
      expect(field.read(defaultSettings.limits) / field.factor).toBeLessThanOrEqual(1000);
    },
  );
});
