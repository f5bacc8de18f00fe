/** Templates in the GraphQL API. */
import {
  templateCreateSchema,
  templateUpdateSchema,
  type EngineTemplate,
  type TemplateCreate,
  type TemplateExtras,
} from '#contract/api/resources.ts';
import { AppError } from '#contract/core/errors.ts';
import { splitCommandLine } from '../../../domain/core/shellWords.ts';
import type { Management } from '../../../domain/resources/resourceService.ts';
import { templateView as templateAnswer } from '../../../domain/resources/views.ts';
import type { Templates } from '../../../domain/resources/templates.ts';
import type { GraphqlPart } from '../schema.ts';
import { envOf, itemsOf, lineOf, namingFields, pairsOf, omitNull, type EnvironmentVariable } from '../values.ts';
import { validate } from '../../http/validate.ts';

const types = /* GraphQL */ `
  type PortConfig {
    name: String
    port: String
  }
  type PodTemplate {
    id: String!
    name: String!
    imageName: String!
    category: String
    containerDiskInGb: Int
    containerRegistryAuthId: String
    "The command, as one line."
    dockerArgs: String
    env: [EnvironmentVariable!]
    isPublic: Boolean
    isRunpod: Boolean
    isServerless: Boolean
    "With commas: 8888/http,22/tcp."
    ports: String
    portsConfig: [PortConfig!]
    readme: String
    volumeInGb: Int
    volumeMountPath: String
    boundEndpointId: String
    "Null here."
    advancedStart: Boolean
    "Whether its Pods get a JUPYTER_PASSWORD."
    startJupyter: Boolean
    "Null here."
    startScript: String
    "Told as it was sent; every Pod gets the SSH keys of the account."
    startSsh: Boolean
    earned: Float
    runtimeInMin: Int
  }

  input PortConfigInput {
    name: String
    port: String
  }
  input PodTemplateInput {
    isPublic: Boolean
    isRunpod: Boolean
    isServerless: Boolean
  }
  input SaveTemplateInput {
    "The template to change; a new one is made without."
    id: String
    name: String
    imageName: String
    category: String
    "Only the real service heeds it."
    config: JSON
    containerDiskInGb: Int
    containerRegistryAuthId: String
    dockerArgs: String
    env: [EnvironmentVariableInput!]
    isPublic: Boolean
    isServerless: Boolean
    ports: String
    "Only the real service heeds it."
    portsConfig: [PortConfigInput!]
    readme: String
    volumeInGb: Int
    volumeMountPath: String
    "Only the real service heeds it."
    advancedStart: Boolean
    "Whether its Pods get a JUPYTER_PASSWORD."
    startJupyter: Boolean
    "Refused unless it is empty: write the commands into dockerArgs."
    startScript: String
    "Kept and told; every Pod gets the SSH keys of the account."
    startSsh: Boolean
  }

  extend type Query {
    podTemplates(input: PodTemplateInput): [PodTemplate!]
    podTemplate(id: String): PodTemplate
  }
  extend type Mutation {
    saveTemplate(input: SaveTemplateInput): PodTemplate
    deleteTemplate(templateName: String): Void
  }
  extend type User {
    podTemplates: [PodTemplate!]
  }
`;

interface TemplateFilter {
  isPublic?: boolean | null;
  isRunpod?: boolean | null;
  isServerless?: boolean | null;
}

export interface SaveTemplateInput {
  id?: string | null;
  name?: string | null;
  imageName?: string | null;
  dockerArgs?: string | null;
  env?: EnvironmentVariable[] | null;
  ports?: string | null;
  startJupyter?: boolean | null;
  startScript?: string | null;
  startSsh?: boolean | null;
}

export const templateFields = (template: EngineTemplate) => ({
  ...templateAnswer(template),
  dockerArgs: lineOf(template.dockerStartCmd),
  env: pairsOf(template.env),
  ports: template.ports.join(','),
  portsConfig: template.ports.map((port) => ({ name: null, port: port.split('/')[0] })),
  startJupyter: template.startJupyter ?? false,
  startSsh: template.startSsh ?? true,
});

/** The input in the words of /v1. */
function templateOf(input: SaveTemplateInput): Record<string, unknown> {
  const { dockerArgs, env, ports, ...rest } = omitNull(input);
  return {
    ...rest,
    ...(dockerArgs !== undefined && { dockerStartCmd: splitCommandLine(dockerArgs) }),
    ...(env && { env: envOf(env) }),
    ...(ports !== undefined && { ports: itemsOf(ports) }),
  };
}

/** The fields of the input that /v1 does not have. Throws BAD_REQUEST for a script, which no Pod runs. */
function extrasOf({ startScript, startJupyter, startSsh }: SaveTemplateInput): TemplateExtras {
  if (startScript) {
    throw new AppError('BAD_REQUEST', 'startScript must be empty: write the commands into dockerArgs.');
  }
  return omitNull({ startJupyter, startSsh });
}

/** The input as a new template. Throws BAD_REQUEST where a field does not fit; messages begin with `subject`. */
export const newTemplateOf = (
  input: SaveTemplateInput,
  defaults: object,
  subject: string,
): TemplateCreate & TemplateExtras => ({
  ...validate(templateCreateSchema, { ...defaults, ...templateOf(input) }, subject),
  ...extrasOf(input),
});

/** Field of /v1 → field in GraphQL. */
const names = { dockerStartCmd: 'dockerArgs', ports: 'ports' };

const NEEDED = 'input is needed: the fields of the template.';

/** Whether the record has these values in its fields of these names. */
function hasFields(record: object, fields: object): boolean {
  const values = new Map<string, unknown>(Object.entries(record));
  return Object.entries(fields).every(([name, value]) => values.get(name) === value);
}

/** @param boundTo the id of an endpoint that uses the template; null for none */
export function templateOperations(
  templates: Templates,
  management: Management,
  boundTo: (templateId: string) => string | null,
): GraphqlPart {
  const full = (template: EngineTemplate) => ({
    ...templateFields(template),
    boundEndpointId: () => boundTo(template.id),
  });
  return {
    types,
    queries: {
      podTemplates({ input }: { input?: TemplateFilter | null }) {
        const { isRunpod = false, ...filter } = omitNull(input);
        // The templates that the real service ships are not here.
        if (isRunpod) return [];
        return templates
          .list()
          .filter((one) => hasFields(one, filter))
          .map(full);
      },
      podTemplate({ id }: { id?: string | null }) {
        const template = templates.find(id ?? '');
        return template ? full(template) : null;
      },
    },
    user: { podTemplates: () => templates.list().map(full) },
    mutations: {
      saveTemplate({ input }: { input?: SaveTemplateInput | null }) {
        if (!input) throw new AppError('BAD_REQUEST', NEEDED);
        const { id, ...fields } = templateOf(input);
        const template = namingFields(names, () =>
          typeof id !== 'string' || id === ''
            ? templates.create(newTemplateOf(input, {}, 'input'))
            : management.updateTemplate(id, {
                ...validate(templateUpdateSchema, fields, 'input'),
                ...extrasOf(input),
              }),
        );
        return full(template);
      },
      deleteTemplate({ templateName }: { templateName?: string | null }) {
        const template = templates.list().find(({ name }) => name === templateName);
        if (!template) {
          throw new AppError('NOT_FOUND', `There is no template named ${JSON.stringify(templateName ?? '')}.`);
        }
        management.deleteTemplate(template.id);
      },
    },
  };
}
