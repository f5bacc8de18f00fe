/** The sheet of a template: a new one, or one that is changed and shown as old and new before it is saved. */
import { useState } from 'react';
import { Button, Drawer, NumberInput, SegmentedControl, Select, TagsInput, Textarea, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import type { RegistryAuthRow, TemplateRow } from '#contract/bridge/resource.ts';
import { knownFields } from '#contract/api/lenient.ts';
import { api, errorText } from '../../client/transport/orpc.ts';
import { ReviewDialog } from '../../ui/form/ReviewDialog.tsx';
import { useSchemaForm } from '../../ui/form/useSchemaForm.ts';
import { countText } from '../../ui/form/Changes.tsx';
import { EnvFields } from '../../ui/form/EnvFields.tsx';
import frame from '../../ui/form/sheet.module.css';
import { Notice } from '../../ui/primitives/Notice.tsx';
import { OtherFields } from '../../ui/domain/OtherFields.tsx';
import sheet from './sheet.module.css';
import {
  changesOf,
  changeText,
  newTemplate,
  problemsOf,
  toNewTemplate,
  valuesOf,
  type TemplateValues,
} from './templateForm.ts';
import { textOfUse } from './UsedBy.tsx';
import { resourcesChanged } from './useResources.ts';

/** `template`: the one that is changed; null for a new one, which begins as `copyOf`. */
export interface TemplateSheetOf {
  template: TemplateRow | null;
  copyOf: TemplateRow | null;
}

const templateForm = { problemsOf, changesOf };

interface TemplateSheetProps {
  accountId: string;
  target: string;
  /** Null while it is closed. */
  of: TemplateSheetOf | null;
  registryAuths: readonly RegistryAuthRow[];
  onClose: () => void;
}

export function TemplateSheet({ of, ...props }: TemplateSheetProps) {
  return (
    <Drawer
      opened={of !== null}
      onClose={props.onClose}
      position="right"
      size={560}
      title={of?.template ? `Template ${of.template.name}` : `New template on ${props.target}`}
      classNames={{ content: frame.sheet ?? '', header: frame.head ?? '', body: frame.body ?? '' }}
    >
      {of !== null && <Form of={of} {...props} />}
    </Drawer>
  );
}

function beginning({ template, copyOf }: TemplateSheetOf): TemplateValues {
  if (template) return valuesOf(template);
  return copyOf ? { ...valuesOf(copyOf), name: `${copyOf.name} copy` } : newTemplate;
}

function Form({ accountId, target, of, registryAuths, onClose }: TemplateSheetProps & { of: TemplateSheetOf }) {
  const { template } = of;
  const { values, problems: found, change, list, ...form } = useSchemaForm(templateForm, () => beginning(of));
  const { put } = form;
  /** What is empty is named only once the person has tried. */
  const [tried, setTried] = useState(false);
  const problems = new Map(
    [...found].filter(([field]) => tried || template !== null || !['name', 'imageName'].includes(field)),
  );
  const save = useMutation({
    mutationFn: async () => {
      if (template) await api.resources.updateTemplate({ accountId, id: template.id, change });
      else await api.resources.createTemplate({ accountId, template: toNewTemplate(values) });
    },
    onSuccess: async () => {
      onClose();
      notifications.show({
        title: `${template ? 'Saved' : 'Made'} ${values.name.trim()}`,
        message: template ? countText(list.length) : `It is a template of ${target}.`,
      });
      await resourcesChanged();
    },
  });

  return (
    <form
      className={sheet.form}
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        if (found.size > 0) return;
        if (!template) save.mutate();
        else form.review();
      }}
    >
      <div className={sheet.fields}>
        {!template && (
          <SegmentedControl
            aria-label="What it is for"
            data={[
              { value: 'pods', label: 'For Pods' },
              { value: 'workers', label: 'For workers of endpoints' },
            ]}
            value={values.isServerless ? 'workers' : 'pods'}
            onChange={(value) => put({ isServerless: value === 'workers' })}
          />
        )}
        <TextInput
          label="Name"
          withAsterisk
          data-autofocus
          value={values.name}
          error={problems.get('name')}
          onChange={(event) => put({ name: event.currentTarget.value })}
        />
        <TextInput
          label="Image, or a folder as file://…"
          withAsterisk
          placeholder="me/image:1.0"
          value={values.imageName}
          error={problems.get('imageName')}
          spellCheck={false}
          onChange={(event) => put({ imageName: event.currentTarget.value })}
        />
        <div className={sheet.pair}>
          <TextInput
            label="Command"
            description="Empty: as built into the image"
            value={values.command}
            error={problems.get('dockerStartCmd')}
            spellCheck={false}
            onChange={(event) => put({ command: event.currentTarget.value })}
          />
          <TextInput
            label="Entrypoint"
            description="Empty: as built into the image"
            value={values.entrypoint}
            error={problems.get('dockerEntrypoint')}
            spellCheck={false}
            onChange={(event) => put({ entrypoint: event.currentTarget.value })}
          />
        </div>
        <EnvFields rows={values.env} problem={problems.get('env')} onChange={(env) => put({ env })} />
        <div className={sheet.pair}>
          <NumberInput
            label="Container disk, GB"
            value={values.containerDiskInGb}
            error={problems.get('containerDiskInGb')}
            onChange={(containerDiskInGb) => put({ containerDiskInGb })}
          />
          {registryAuths.length > 0 && (
            <Select
              label="Registry credentials"
              data={[
                { value: '', label: 'None' },
                ...registryAuths.map(({ id, name }) => ({ value: id, label: name })),
              ]}
              value={values.containerRegistryAuthId}
              allowDeselect={false}
              onChange={(id) => put({ containerRegistryAuthId: id ?? '' })}
            />
          )}
        </div>
        {!values.isServerless && (
          <>
            <div className={sheet.pair}>
              <NumberInput
                label="Volume, GB"
                value={values.volumeInGb}
                error={problems.get('volumeInGb')}
                onChange={(volumeInGb) => put({ volumeInGb })}
              />
              <TextInput
                label="Volume at"
                value={values.volumeMountPath}
                error={problems.get('volumeMountPath')}
                spellCheck={false}
                onChange={(event) => put({ volumeMountPath: event.currentTarget.value })}
              />
            </div>
            <TagsInput
              label="Ports"
              description="8888/http is reached through the engine, 22/tcp at a port of the machine"
              value={values.ports}
              error={problems.get('ports')}
              onChange={(ports) => put({ ports })}
            />
          </>
        )}
        <Textarea
          label="Readme"
          description="Markdown. Its first block of json is the first input on the Run page"
          autosize
          minRows={3}
          maxRows={10}
          value={values.readme}
          onChange={(event) => put({ readme: event.currentTarget.value })}
        />
        {template && <OtherFields record={template} known={[...knownFields.template, 'usedBy']} />}
      </div>
      {save.isError && !template && (
        <Notice tone="bad" title="Not made.">
          {errorText(save.error)}
        </Notice>
      )}
      <div className={sheet.foot}>
        <span aria-live="polite">
          {problems.size > 0 ? 'Something above is not valid' : template ? countText(list.length) : ''}
        </span>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" loading={save.isPending && !template} disabled={template !== null && list.length === 0}>
          {template ? 'Review and save…' : 'Make the template'}
        </Button>
      </div>
      {template && (
        <ReviewDialog
          opened={form.isReviewing}
          name={template.name}
          list={list.map(changeText)}
          effect={effectText(template)}
          save={save}
          onClose={form.closeReview}
        />
      )}
    </form>
  );
}

function effectText({ usedBy }: TemplateRow): string {
  const endpoints = usedBy.filter(({ kind }) => kind === 'endpoint');
  if (endpoints.length === 0) return 'What is made of it from now on is as the new values say.';
  return `Workers of ${endpoints.map(textOfUse).join(', ')} are replaced one by one, each after the job it has.`;
}
