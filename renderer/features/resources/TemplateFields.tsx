/** The fields of a template. A template for workers has no volume and no ports. */
import { NumberInput, TagsInput, Textarea, TextInput } from '@mantine/core';
import type { RegistryAuthRow } from '#contract/bridge/resource.ts';
import { THIS_MACHINE } from '#contract/app/account.ts';
import { EntrypointField, RegistryAuthField } from '../../ui/form/ContainerFields.tsx';
import { EnvFields } from '../../ui/form/EnvFields.tsx';
import type { SchemaForm } from '../../ui/form/useSchemaForm.ts';
import { ChooseFolder } from '../../ui/images/ChooseFolder.tsx';
import { ImageField } from '../../ui/images/ImageField.tsx';
import sheet from './sheet.module.css';
import type { TemplateValues } from './templateForm.ts';
import { t } from '../../language/text.ts';
import { requiredField } from '../../ui/theme/requiredField.ts';

interface TemplateFieldsProps {
  accountId: string;
  form: SchemaForm<TemplateValues>;
  registryAuths: readonly RegistryAuthRow[];
}

export function TemplateFields({ accountId, form: { values, problems, put }, registryAuths }: TemplateFieldsProps) {
  return (
    <>
      <TextInput
        label={t`Name`}
        {...requiredField}
        data-autofocus
        value={values.name}
        error={problems.get('name')}
        onChange={(event) => put({ name: event.currentTarget.value })}
      />
      <ImageField
        accountId={accountId}
        label={t`Image, or a folder as file://…`}
        placeholder={t`me/image:1.0`}
        value={values.imageName}
        problem={problems.get('imageName')}
        onChange={(imageName) => put({ imageName })}
      />
      {/* Only the engine of this computer reads folders, and only for workers. */}
      {accountId === THIS_MACHINE && values.isServerless && (
        <ChooseFolder imageName={values.imageName} onChosen={(imageName) => put({ imageName })} />
      )}
      <div className={sheet.pair}>
        <TextInput
          label={t`Command`}
          description={t`Leave empty to use the image's own`}
          value={values.command}
          error={problems.get('dockerStartCmd')}
          spellCheck={false}
          onChange={(event) => put({ command: event.currentTarget.value })}
        />
        <EntrypointField
          value={values.entrypoint}
          problem={problems.get('dockerEntrypoint')}
          onChange={(entrypoint) => put({ entrypoint })}
        />
      </div>
      <EnvFields rows={values.env} problem={problems.get('env')} onChange={(env) => put({ env })} />
      <div className={sheet.pair}>
        <NumberInput
          label={t`Container disk, GB`}
          value={values.containerDiskInGb}
          error={problems.get('containerDiskInGb')}
          onChange={(containerDiskInGb) => put({ containerDiskInGb })}
        />
        <RegistryAuthField
          auths={registryAuths}
          value={values.containerRegistryAuthId}
          onChange={(containerRegistryAuthId) => put({ containerRegistryAuthId })}
        />
      </div>
      {!values.isServerless && (
        <>
          <div className={sheet.pair}>
            <NumberInput
              label={t`Volume, GB`}
              value={values.volumeInGb}
              error={problems.get('volumeInGb')}
              onChange={(volumeInGb) => put({ volumeInGb })}
            />
            <TextInput
              label={t`Volume at`}
              value={values.volumeMountPath}
              error={problems.get('volumeMountPath')}
              spellCheck={false}
              onChange={(event) => put({ volumeMountPath: event.currentTarget.value })}
            />
          </div>
          <TagsInput
            label={t`Ports`}
            description={t`8888/http is reachable through the engine, 22/tcp at a port of the machine`}
            value={values.ports}
            error={problems.get('ports')}
            onChange={(ports) => put({ ports })}
          />
        </>
      )}
      <Textarea
        label={t`Readme`}
        description={t`Markdown. Its first JSON block is the first input on the Run page`}
        autosize
        minRows={3}
        maxRows={10}
        value={values.readme}
        onChange={(event) => put({ readme: event.currentTarget.value })}
      />
    </>
  );
}
