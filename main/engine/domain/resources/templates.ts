/** Templates: the container settings of workers. Applies the defaults and rules of the management API. */
import { AppError } from '#contract/core/errors.ts';
import { isImageName } from '#contract/api/imageName.ts';
import {
  FILE_IMAGE_PREFIX,
  templateDefaults,
  type EngineTemplate,
  type TemplateCreate,
  type TemplateExtras,
  type TemplateUpdate,
} from '#contract/api/resources.ts';
import { createListeners } from '../core/listeners.ts';
import { omitUndefined } from '../core/omitUndefined.ts';
import type { Cancel, Ids } from '../core/ports.ts';
import type { ResourceStore } from './ports.ts';

/** Fields that an update cannot change. */
const FIXED = ['category', 'isServerless'] as const;

export interface Templates {
  list(): EngineTemplate[];
  /** Throws NOT_FOUND for an unknown id. */
  get(id: string): EngineTemplate;
  find(id: string): EngineTemplate | undefined;
  create(input: TemplateCreate & TemplateExtras): EngineTemplate;
  update(id: string, input: TemplateUpdate & TemplateExtras): EngineTemplate;
  /** Marks the template as belonging to this endpoint: it is deleted with it. */
  bind(id: string, endpointId: string): void;
  /** Throws BAD_REQUEST while it is in use. `usedBy`: its users, as words for a message. */
  delete(id: string, usedBy: string[]): void;
  /** Called after a template is created, changed or deleted. */
  onChange(listener: () => void): Cancel;
}

/** Throws BAD_REQUEST where the text is neither a valid image name nor the address of a folder on this machine. */
export function checkImageName(imageName: string): void {
  const isFolder = imageName.startsWith(FILE_IMAGE_PREFIX);
  if (isFolder ? imageName.startsWith(`${FILE_IMAGE_PREFIX}/`) : isImageName(imageName)) return;
  throw new AppError(
    'BAD_REQUEST',
    isFolder
      ? `imageName ${JSON.stringify(imageName)} is not the address of a folder on this machine; write it like file:///home/me/handler.`
      : `imageName ${JSON.stringify(imageName)} cannot be the name of an image: write it like ubuntu:24.04 or ghcr.io/me/worker:1, in lower case up to the tag.`,
  );
}

export function createTemplates(
  store: ResourceStore,
  ids: Ids,
  /** Whether registry credentials with this id exist. */
  hasRegistryAuth: (id: string) => boolean = () => true,
): Templates {
  const templates = new Map(store.loadTemplates().map((template) => [template.id, template]));
  const listeners = createListeners();

  function get(id: string): EngineTemplate {
    const template = templates.get(id);
    if (!template) throw new AppError('NOT_FOUND', `There is no template ${JSON.stringify(id)}.`);
    return template;
  }

  function save(template: EngineTemplate): EngineTemplate {
    checkImageName(template.imageName);
    const { containerRegistryAuthId } = template;
    if (containerRegistryAuthId !== '' && !hasRegistryAuth(containerRegistryAuthId)) {
      throw new AppError(
        'BAD_REQUEST',
        `containerRegistryAuthId ${JSON.stringify(containerRegistryAuthId)} names no container registry auth.`,
      );
    }
    for (const other of templates.values()) {
      if (other.id !== template.id && other.name === template.name) {
        throw new AppError(
          'BAD_REQUEST',
          `There is a template named ${JSON.stringify(template.name)} already; names are unique.`,
        );
      }
    }
    store.saveTemplate(template);
    templates.set(template.id, template);
    listeners.call();
    return template;
  }

  return {
    list: () => [...templates.values()],
    get,
    find: (id) => templates.get(id),
    create: (input) =>
      save({
        ...templateDefaults,
        ...omitUndefined(input),
        id: ids.random(5),
        name: input.name,
        imageName: input.imageName,
      }),
    update(id, input) {
      const before = get(id);
      for (const field of FIXED) {
        if (input[field] === undefined || input[field] === before[field]) continue;
        throw new AppError(
          'BAD_REQUEST',
          `${field} is fixed when a template is made: this one's is ${before[field]}. Make another template for ${input[field]}.`,
        );
      }
      return save({ ...before, ...omitUndefined(input) });
    },
    bind: (id, boundEndpointId) => void save({ ...get(id), boundEndpointId }),
    delete(id, usedBy) {
      get(id);
      if (usedBy.length > 0) {
        throw new AppError(
          'BAD_REQUEST',
          `The template is used by ${usedBy.join(', ')}; delete or change what uses it first.`,
        );
      }
      store.deleteTemplate(id);
      templates.delete(id);
      listeners.call();
    },
    onChange: listeners.add,
  };
}
