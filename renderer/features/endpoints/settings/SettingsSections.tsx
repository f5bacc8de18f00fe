/** All settings of an endpoint in their sections: for one that is there, and for a copy of it. */
import { TextInput } from '@mantine/core';
import { EnvFields } from '../../../ui/form/EnvFields.tsx';
import { Section } from '../../../ui/form/Section.tsx';
import { ChooseFolder } from '../../../ui/images/ChooseFolder.tsx';
import { ImageField } from '../../../ui/images/ImageField.tsx';
import { CommandField, ImageFields, PlaceFields, ScaleFields, type FieldsProps } from './SettingsFields.tsx';
import { isFolder } from './settingsForm.ts';
import { t } from '../../../language/text.ts';
import { requiredField } from '../../../ui/theme/requiredField.ts';

interface SettingsSectionsProps extends FieldsProps {
  accountId: string;
  /** Whether the choices are being read. */
  isBusy: boolean;
}

export function SettingsSections({ accountId, isBusy, ...fields }: SettingsSectionsProps) {
  const { values, problems, choices, onChange } = fields;
  return (
    <>
      <Section title={t`Source`} isBusy={isBusy}>
        <TextInput
          label={t`Name`}
          {...requiredField}
          value={values.name}
          error={problems.get('name')}
          onChange={(event) => onChange({ name: event.currentTarget.value })}
        />
        <ImageField
          accountId={accountId}
          label={isFolder(values) ? t`Folder` : t`Image`}
          value={values.imageName}
          problem={problems.get('imageName')}
          onChange={(imageName) => onChange({ imageName })}
        />
        {isFolder(values) && choices?.folders === true && (
          <ChooseFolder imageName={values.imageName} onChosen={(imageName) => onChange({ imageName })} />
        )}
        <CommandField {...fields} ofImage={!isFolder(values)} />
        {!isFolder(values) && <ImageFields {...fields} />}
      </Section>
      <Section title={t`Variables`}>
        <EnvFields rows={values.env} problem={problems.get('env')} onChange={(env) => onChange({ env })} />
      </Section>
      <Section title={t`Where it runs`}>
        <PlaceFields {...fields} />
      </Section>
      <Section title={t`How it scales`}>
        <ScaleFields {...fields} />
      </Section>
    </>
  );
}
