/** The form of a template: its values, their problems, and the requests. */
import {
  FILE_IMAGE_PREFIX,
  templateCreateSchema,
  templateDefaults,
  type Template,
  type TemplateCreate,
  type TemplateUpdate,
} from '#contract/api/resources.ts';
import { joinCommand, splitCommand } from '../../ui/form/commandText.ts';
import { requestNumber, type Entry } from '../../ui/form/entry.ts';
import { envChange, envOf, envRows, repeatedVariable, type EnvRow } from '../../ui/form/envRows.ts';
import {
  asCommand,
  asGigabytes,
  asLength,
  asList,
  asText,
  fieldChanges,
  type FieldWords,
} from '../../ui/form/fieldChanges.ts';
import { schemaProblems, type Problems } from '../../ui/form/schemaProblems.ts';
import type { ReviewedSchema } from '../../ui/form/useSchemaForm.ts';
import { t } from '../../language/text.ts';

export interface TemplateValues {
  name: string;
  imageName: string;
  isServerless: boolean;
  category: Template['category'];
  command: string;
  entrypoint: string;
  env: EnvRow[];
  containerRegistryAuthId: string;
  containerDiskInGb: Entry;
  volumeInGb: Entry;
  volumeMountPath: string;
  ports: string[];
  readme: string;
}

type TemplateFields = Pick<
  Template,
  | 'name'
  | 'imageName'
  | 'dockerStartCmd'
  | 'dockerEntrypoint'
  | 'env'
  | 'containerRegistryAuthId'
  | 'containerDiskInGb'
  | 'volumeInGb'
  | 'volumeMountPath'
  | 'ports'
  | 'readme'
>;

export function valuesOf(template: Omit<Template, 'id' | 'isPublic'>): TemplateValues {
  const { name, imageName, isServerless, category, containerRegistryAuthId, readme, ports } = template;
  const { containerDiskInGb, volumeInGb, volumeMountPath } = template;
  return {
    name,
    imageName,
    isServerless,
    category,
    containerRegistryAuthId,
    readme,
    ports,
    containerDiskInGb,
    volumeInGb,
    volumeMountPath,
    command: joinCommand(template.dockerStartCmd),
    entrypoint: joinCommand(template.dockerEntrypoint),
    env: envRows(template.env),
  };
}

export const newTemplate: TemplateValues = valuesOf({ ...templateDefaults, name: '', imageName: '' });

function fieldsOf(values: TemplateValues): TemplateFields {
  return {
    name: values.name.trim(),
    imageName: values.imageName.trim(),
    dockerStartCmd: splitCommand(values.command),
    dockerEntrypoint: splitCommand(values.entrypoint),
    env: envOf(values.env),
    containerRegistryAuthId: values.containerRegistryAuthId,
    containerDiskInGb: requestNumber(values.containerDiskInGb),
    volumeInGb: requestNumber(values.volumeInGb),
    volumeMountPath: values.volumeMountPath.trim(),
    ports: values.ports,
    readme: values.readme,
  };
}

export const toNewTemplate = (values: TemplateValues): TemplateCreate => ({
  ...fieldsOf(values),
  isServerless: values.isServerless,
  category: values.category,
});

function problemsOf(values: TemplateValues): Problems {
  const request = toNewTemplate(values);
  const problems = schemaProblems(templateCreateSchema, request);
  if (request.name === '') problems.set('name', t`Enter a name.`);
  if (request.imageName === '') problems.set('imageName', t`Enter an image, or a folder as file://…`);
  const repeated = repeatedVariable(values.env);
  if (repeated !== null) problems.set('env', repeated);
  return problems;
}

const words: FieldWords<TemplateFields> = {
  name: [t`Name`, asText],
  imageName: [t`Folder or image`, asText],
  dockerStartCmd: [t`Command`, asCommand],
  dockerEntrypoint: [t`Entrypoint`, asCommand],
  env: [t`Variables`, envChange],
  containerRegistryAuthId: [t`Registry credentials`, asText],
  containerDiskInGb: [t`Container disk`, asGigabytes],
  volumeInGb: [t`Volume disk`, asGigabytes],
  volumeMountPath: [t`Volume at`, asText],
  ports: [t`Ports`, asList],
  readme: [t`Readme`, asLength],
};

/** The form of a new template, and of the changes of one. */
export const templateForm: ReviewedSchema<TemplateValues, TemplateUpdate> = {
  problemsOf,
  emptyAtFirst: ['name', 'imageName'],
  changesOf: (before, after) => fieldChanges(words, fieldsOf(before), fieldsOf(after)),
};

/** The image, or the path of a folder without `file://`. */
export const sourceOf = ({ imageName }: Pick<Template, 'imageName'>): string =>
  imageName.startsWith(FILE_IMAGE_PREFIX) ? decodeURIComponent(imageName.slice(FILE_IMAGE_PREFIX.length)) : imageName;
