/** Templates in REST v2: those of Pods, and those that endpoints were made from. */
import * as z from 'zod';
import { cudaVersions } from '#contract/core/cloudNames.ts';
import { limits } from '#contract/core/limits.ts';
import { templateCreateSchema, type EngineTemplate, type TemplateExtras } from '#contract/api/resources.ts';
import type { Management } from '../../domain/resources/resourceService.ts';
import type { Templates } from '../../domain/resources/templates.ts';
import { containerAnswer, containerFields, containerFrom, wordsOf } from './container.ts';
import { operation, type RestV2Operation } from './protocol/operation.ts';
import type { Named } from '../openapi/operation.ts';
import { listAnswer, pageOf, pageQuery } from './protocol/pages.ts';

export interface TemplateParts {
  templates: Templates;
  management: Pick<Management, 'updateTemplate' | 'deleteTemplate'>;
}

const { shape } = templateCreateSchema;
const fields = {
  ...containerFields,
  allowedCudaVersions: z.array(z.enum(cudaVersions)).optional(),
  category: shape.category,
  mounts: z
    .strictObject({
      persistent: z
        .strictObject({ size: z.int().min(10).max(limits.pod.diskGb.max), path: shape.volumeMountPath.unwrap() })
        .optional(),
    })
    .optional(),
  public: shape.isPublic,
  serverless: shape.isServerless,
  startJupyter: z.boolean().optional(),
  startSsh: z.boolean().optional(),
};
const createRequest = {
  name: 'CreateTemplateRequest',
  schema: z.strictObject({ name: shape.name, ...fields, image: shape.imageName }),
} satisfies Named;
const updateRequest = {
  name: 'UpdateTemplateRequest',
  schema: z.strictObject({ name: shape.name.optional(), ...fields }),
} satisfies Named;
type UpdateRequest = z.output<typeof updateRequest.schema>;

export const templateAnswer = {
  name: 'Template',
  schema: z.object({
    id: z.string(),
    name: z.string(),
    ...containerAnswer,
    mounts: z.object({ persistent: z.object({ size: z.int(), path: z.string() }).optional() }),
    serverless: z.boolean(),
    public: z.boolean(),
    category: z.enum(['CPU', 'NVIDIA', 'AMD']),
    startSsh: z.boolean(),
    startJupyter: z.boolean(),
    allowedCudaVersions: z.array(z.string()),
  }),
} satisfies Named;

const answerOf = (template: EngineTemplate): z.output<typeof templateAnswer.schema> => ({
  id: template.id,
  name: template.name,
  ...containerFrom(template),
  mounts: template.volumeInGb > 0 ? { persistent: { size: template.volumeInGb, path: template.volumeMountPath } } : {},
  serverless: template.isServerless,
  public: template.isPublic,
  category: template.category,
  // Every Pod gets the SSH keys of the account.
  startSsh: template.startSsh ?? true,
  startJupyter: template.startJupyter ?? false,
  allowedCudaVersions: template.allowedCudaVersions ?? [],
});

/** A request in the words of /v1, and the fields that only REST v2 has. */
function templateWords({ name, category, public: isPublic, serverless: isServerless, mounts, ...rest }: UpdateRequest) {
  const persistent = mounts?.persistent;
  const { startSsh, startJupyter, allowedCudaVersions } = rest;
  const extras: TemplateExtras = {
    ...(startSsh !== undefined && { startSsh }),
    ...(startJupyter !== undefined && { startJupyter }),
    ...(allowedCudaVersions !== undefined && { allowedCudaVersions }),
  };
  return {
    ...wordsOf(rest),
    name,
    category,
    isPublic,
    isServerless,
    ...(persistent && { volumeInGb: persistent.size, volumeMountPath: persistent.path }),
    ...extras,
  };
}

export function templateOperations({ templates, management }: TemplateParts): RestV2Operation[] {
  const group = 'Templates';
  const one = { 200: { words: 'The template.', shape: templateAnswer } };
  return [
    operation({
      method: 'get',
      path: '/templates',
      id: 'listTemplates',
      group,
      need: 'read',
      summary: 'Lists templates, without those that were made for one endpoint.',
      query: pageQuery,
      answers: { 200: listAnswer('ListTemplatesResponse', 'templates', templateAnswer) },
      run({ query }) {
        const own = templates.list().filter(({ boundEndpointId }) => boundEndpointId === undefined);
        const { page, pagination } = pageOf(own, query);
        return { templates: page.map(answerOf), pagination };
      },
    }),
    operation({
      method: 'post',
      path: '/templates',
      id: 'createTemplate',
      group,
      need: 'all',
      summary: 'Makes a template.',
      body: createRequest,
      answers: { 201: one[200] },
      run({ body }) {
        const { name, image: imageName } = body;
        // The defaults: no ports, no volume, and Jupyter starts.
        const usual = { ports: [], volumeInGb: 0, startSsh: true, startJupyter: true };
        return answerOf(templates.create({ ...usual, ...templateWords(body), name, imageName }));
      },
    }),
    operation({
      method: 'get',
      path: '/templates/{id}',
      id: 'getTemplate',
      group,
      need: 'read',
      summary: 'Tells of one template.',
      answers: one,
      run: ({ params }) => answerOf(templates.get(params.id)),
    }),
    operation({
      method: 'patch',
      path: '/templates/{id}',
      id: 'updateTemplate',
      group,
      need: 'all',
      summary: 'Changes the fields that are named. Workers of endpoints that use it are replaced.',
      body: updateRequest,
      answers: one,
      run: ({ params, body }) => answerOf(management.updateTemplate(params.id, templateWords(body))),
    }),
    operation({
      method: 'delete',
      path: '/templates/{id}',
      id: 'deleteTemplate',
      group,
      need: 'all',
      summary: 'Deletes a template. One that is used is a 400 that names who uses it.',
      answers: { 204: { words: 'It is gone.', shape: null } },
      refusals: ['BAD_REQUEST'],
      run({ params }) {
        management.deleteTemplate(params.id);
        return undefined;
      },
    }),
  ];
}
