/** The sheet of a template: a new one, or a change, which is shown as old and new before it is saved. */
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import type { RegistryAuthRow, TemplateRow } from '#contract/bridge/resource.ts';
import { knownFields } from '#contract/api/lenient.ts';
import { api, errorText } from '../../client/transport/orpc.ts';
import { countText } from '../../ui/form/Changes.tsx';
import { CreateForm } from '../../ui/form/CreateForm.tsx';
import { ReviewForm } from '../../ui/form/ReviewForm.tsx';
import { useReviewedForm, useSchemaForm } from '../../ui/form/useSchemaForm.ts';
import { CreateSheet } from '../../ui/form/sheet/CreateSheet.tsx';
import { OtherFields } from '../../ui/domain/OtherFields.tsx';
import sheet from './sheet.module.css';
import { TemplateFields } from './TemplateFields.tsx';
import { newTemplate, templateForm, toNewTemplate, valuesOf } from './templateForm.ts';
import { textOfUse } from './UsedBy.tsx';
import { resourcesChanged } from './useResources.ts';
import { Segments } from '../../ui/tabs/Segments.tsx';
import { t } from '../../language/text.ts';

/** `template`: the template to change; null for a new one, with the initial values of `copyOf`. */
export interface TemplateSheetOf {
  template: TemplateRow | null;
  copyOf: TemplateRow | null;
}

interface FormProps {
  accountId: string;
  target: string;
  registryAuths: readonly RegistryAuthRow[];
  onClose: () => void;
}

interface TemplateSheetProps extends FormProps {
  /** Null while the sheet is closed. */
  of: TemplateSheetOf | null;
}

export function TemplateSheet({ of, ...props }: TemplateSheetProps) {
  return (
    <CreateSheet
      opened={of !== null}
      onClose={props.onClose}
      title={of?.template ? t`Template ${of.template.name}` : t`New template on ${props.target}`}
    >
      {of?.template && <ChangeTemplate template={of.template} {...props} />}
      {of?.template === null && <NewTemplate copyOf={of.copyOf} {...props} />}
    </CreateSheet>
  );
}

interface NewTemplateProps extends FormProps {
  copyOf: TemplateRow | null;
}

function NewTemplate({ accountId, target, copyOf, registryAuths, onClose }: NewTemplateProps) {
  const form = useSchemaForm(templateForm, () =>
    copyOf ? { ...valuesOf(copyOf), name: t`${copyOf.name} copy` } : newTemplate,
  );
  const { values, problems } = form;
  const make = useMutation({
    mutationFn: () => api.resources.createTemplate({ accountId, template: toNewTemplate(values) }),
    onSuccess: async () => {
      onClose();
      notifications.show({ title: t`Created ${values.name.trim()}`, message: t`Saved on ${target}.` });
      await resourcesChanged();
    },
  });
  return (
    <CreateForm
      onSubmit={form.submit(() => make.mutate())}
      onCancel={onClose}
      action={t`Create the template`}
      isPending={make.isPending}
      failure={make.isError ? { title: t`Not created.`, text: errorText(make.error) } : null}
      note={problems.size > 0 ? t`Correct the marked fields first` : ''}
    >
      <div className={sheet.fields}>
        <Segments
          aria-label={t`Purpose`}
          data={[
            { value: 'pods', label: t`For Pods` },
            { value: 'workers', label: t`For workers of endpoints` },
          ]}
          value={values.isServerless ? 'workers' : 'pods'}
          onChange={(value) => form.put({ isServerless: value === 'workers' })}
        />
        <TemplateFields accountId={accountId} form={form} registryAuths={registryAuths} />
      </div>
    </CreateForm>
  );
}

interface ChangeTemplateProps extends FormProps {
  template: TemplateRow;
}

function ChangeTemplate({ accountId, template, registryAuths, onClose }: ChangeTemplateProps) {
  const form = useReviewedForm(templateForm, () => valuesOf(template));
  const { values, change, list } = form;
  const save = useMutation({
    mutationFn: () => api.resources.updateTemplate({ accountId, id: template.id, change }),
    onSuccess: async () => {
      onClose();
      notifications.show({ title: t`Saved ${values.name.trim()}`, message: countText(list.length) });
      await resourcesChanged();
    },
  });
  return (
    <ReviewForm form={form} name={template.name} effect={effectText(template)} save={save} onCancel={onClose}>
      <div className={sheet.fields}>
        <TemplateFields accountId={accountId} form={form} registryAuths={registryAuths} />
        <OtherFields record={template} known={[...knownFields.template, 'usedBy']} />
      </div>
    </ReviewForm>
  );
}

function effectText({ usedBy }: TemplateRow): string {
  const endpoints = usedBy.filter(({ kind }) => kind === 'endpoint');
  if (endpoints.length === 0) return t`The new values apply to everything created from now on.`;
  return t`Workers of ${endpoints.map(textOfUse).join(', ')} are replaced one by one, each after its job.`;
}
