/** A handler's folder on the machine of an engine: what lies in it, which Python it gets, and what its hub files say. */
import * as z from 'zod';
import { endpointCreateSchema, templateCreateSchema } from '../api/resources.ts';

/** Of a template: which Python runs its handler. */
export const PYTHON_VARIABLE = 'HANGAR_PYTHON';

/** The Python that runs a handler. */
export const handlerPythonSchema = z.looseObject({
  program: z.string(),
  version: z.string(),
  /** Why this one, for a person: `.venv of the folder`, `HANGAR_PYTHON of the template`, `this machine`. */
  from: z.string(),
});
export type HandlerPython = z.infer<typeof handlerPythonSchema>;

/** What an environment can be made of; in the order in which they are preferred. */
export const environmentSources = ['uv.lock', 'requirements.txt'] as const;
export type EnvironmentSource = (typeof environmentSources)[number];

/** What is known of the handler of a folder. */
export const handlerFactsSchema = z.looseObject({
  /** Its path in the folder; null where there is none, and where a command is run. */
  file: z.string().nullable(),
  /** Null for other handlers, and where there is no Python that can run it. */
  python: handlerPythonSchema.nullable(),
  /** What an environment of its own can be made of; null where it has one, or nothing says what belongs into it. */
  environmentSource: z.enum(environmentSources).nullable(),
  /** What a person should know though it can be started, such as modules that its Python lacks. */
  notices: z.array(z.string()),
});
export type HandlerFacts = z.infer<typeof handlerFactsSchema>;

/** A program, the folder of an environment, or the name of a conda environment, with `conda:` before it or without. */
const wantedPython = z.string().trim().min(1).max(4096);

/** PUT /local/v1/endpoints/{id}/python. */
export const pythonChoiceSchema = z.strictObject({
  /** Null: whichever the folder calls for. */
  python: wantedPython.nullable(),
});

/** How far the environment of a folder is, /local/v1/endpoints/{id}/environment. */
export const environmentStateSchema = z.looseObject({
  /** `stopped`: a person has stopped it, and nothing of it is left. */
  state: z.enum(['none', 'making', 'made', 'failed', 'stopped']),
  /** What is done just now, or was done last, for a person. */
  step: z.string().nullable(),
  /** The last lines of what its programs wrote, oldest first. */
  lines: z.array(z.string()),
  /** Why it failed, for a person. */
  problem: z.string().nullable(),
});
export type EnvironmentState = z.infer<typeof environmentStateSchema>;

/** POST /local/v1/folders: the folder as the image of a template names it. */
export const folderQuestionSchema = z.strictObject({
  imageName: z.string().min(1).max(4096),
  /** Which Python is to run its handler, as for an endpoint; left out: whichever the folder calls for. */
  python: wantedPython.optional(),
});

/** Variables that go together, by the name that its author gave them. */
export const folderPresetSchema = z.object({ name: z.string(), env: z.record(z.string(), z.string()) });

/** What a folder says of itself, for a template and an endpoint of it. */
export const folderReadingSchema = z.looseObject({
  ...handlerFactsSchema.shape,
  /** Why it cannot run, for a person. */
  problem: z.string().nullable(),
  /** As its `.runpod/hub.json` fills them; empty without one. */
  template: templateCreateSchema.partial(),
  endpoint: endpointCreateSchema.partial(),
  presets: z.array(folderPresetSchema),
  /** How many tests its `.runpod/tests.json` has. */
  tests: z.int(),
});
export type FolderReading = z.infer<typeof folderReadingSchema>;

/** `stopped`: it was not run to its end, since a person has stopped the check. */
export const workerTestStates = ['waiting', 'running', 'passed', 'failed', 'stopped'] as const;

/** The tests of `.runpod/tests.json`, run through the endpoint; /local/v1/endpoints/{id}/check. */
export const workerCheckSchema = z.looseObject({
  /** `none`: not run yet; `tests` are those that would be. */
  state: z.enum(['none', 'running', 'passed', 'failed', 'stopped']),
  tests: z.array(
    z.looseObject({
      name: z.string(),
      state: z.enum(workerTestStates),
      jobId: z.string().nullable(),
      /** Why it failed, or why its job waits, for a person. */
      message: z.string().nullable(),
      executionMs: z.number().nullable(),
    }),
  ),
  /** What a person should know, such as variables that the hub would set for the tests. */
  notices: z.array(z.string()),
});
export type WorkerCheck = z.infer<typeof workerCheckSchema>;
