/** The folder of a handler on the machine of an engine: its files, its Python, and its hub files. */
import * as z from 'zod';
import { endpointCreateSchema, templateCreateSchema } from '../api/resources.ts';

/** The variable of a template that names the Python of its handler. */
export const PYTHON_VARIABLE = 'HANGAR_PYTHON';

/** The files that Hangar runs as the handler of a folder, by their paths in it, in order of preference. */
export const NODE_HANDLERS = ['handler.mjs', 'handler.js', 'handler.ts'];
/** The places that repositories of the hub use. `.runpod` contains files for the hub; a handler there is rare. */
export const PYTHON_HANDLERS = [
  'handler.py',
  'rp_handler.py',
  'src/handler.py',
  'src/rp_handler.py',
  '.runpod/handler.py',
];

/** The Python that runs a handler. */
export const handlerPythonSchema = z.looseObject({
  program: z.string(),
  version: z.string(),
  /**
   * Where the choice comes from, for a person: `.venv of the folder`, `HANGAR_PYTHON of the template`, `this machine`.
   */
  from: z.string(),
});
export type HandlerPython = z.infer<typeof handlerPythonSchema>;

/** Whether it is the Python of an environment in the folder of the handler. */
export const isOwnEnvironment = ({ from }: Pick<HandlerPython, 'from'>): boolean =>
  /^\.?venv of the folder$/.test(from);

/** The file in a Python environment that Hangar made. */
export const MADE_BY_HANGAR = 'made-by-hangar';

/** Files from which an environment can be created, in order of preference. */
export const environmentSources = ['uv.lock', 'requirements.txt'] as const;
export type EnvironmentSource = (typeof environmentSources)[number];

/** Facts about the handler of a folder. */
export const handlerFactsSchema = z.looseObject({
  /** Its path in the folder; null if there is none, and if a command runs instead. */
  file: z.string().nullable(),
  /** Null for handlers in other languages, and if no Python can run it. */
  python: handlerPythonSchema.nullable(),
  /**
   * The source for an environment of its own; null if no file lists the packages, or if its Python has all packages of
   * `requirements.txt`. If it has an environment: the file whose packages can be installed there, while modules that it
   * imports are missing.
   */
  environmentSource: z.enum(environmentSources).nullable(),
  /** The modules that it imports and its Python does not have. Older engines do not report them. */
  missingModules: z.array(z.string()).optional(),
  /** Hints about a handler that can start, such as modules that its Python lacks. */
  notices: z.array(z.string()),
});
export type HandlerFacts = z.infer<typeof handlerFactsSchema>;

/** A program, the folder of an environment, or the name of a conda environment, with or without the prefix `conda:`. */
const wantedPython = z.string().trim().min(1).max(4096);

/** PUT /local/v1/endpoints/{id}/python. */
export const pythonChoiceSchema = z.strictObject({
  /** Null: the Python that the folder requires. */
  python: wantedPython.nullable(),
});

/** The progress of the environment of a folder, /local/v1/endpoints/{id}/environment. */
export const environmentStateSchema = z.looseObject({
  /** `stopped`: a person stopped it, and what was made is removed; an environment that was there before stays. */
  state: z.enum(['none', 'making', 'made', 'failed', 'stopped']),
  /** The current or last step, for a person. */
  step: z.string().nullable(),
  /** The last lines of output of its programs, oldest first. */
  lines: z.array(z.string()),
  /** Why it failed, for a person. */
  problem: z.string().nullable(),
});
export type EnvironmentState = z.infer<typeof environmentStateSchema>;

/** POST /local/v1/folders: the folder in the form of a template's image name. */
export const folderQuestionSchema = z.strictObject({
  imageName: z.string().min(1).max(4096),
  /** The Python of its handler, as for an endpoint; missing: the one that the folder requires. */
  python: wantedPython.optional(),
});

/** A named group of variables. The author of the folder chose the name. */
export const folderPresetSchema = z.object({ name: z.string(), env: z.record(z.string(), z.string()) });

/** Settings that a folder declares for its template and its endpoint. */
export const folderReadingSchema = z.looseObject({
  ...handlerFactsSchema.shape,
  /** Why it cannot run, for a person. */
  problem: z.string().nullable(),
  /** The fields from its `.runpod/hub.json`; empty without that file. */
  template: templateCreateSchema.partial(),
  endpoint: endpointCreateSchema.partial(),
  presets: z.array(folderPresetSchema),
  /** How many tests its `.runpod/tests.json` has. */
  tests: z.int(),
});
export type FolderReading = z.infer<typeof folderReadingSchema>;

/** The input that a folder declares, /local/v1/endpoints/{id}/input. Its files are read, and never run. */
export const declaredInputSchema = z.looseObject({
  /** Null: the folder declares no input. */
  schema: z
    .looseObject({
      /** JSON Schema, or the rules of the public SDK's validator: raw JSON. */
      text: z.string(),
      /** The path of its file in the folder, with `/`. */
      file: z.string(),
      /** Where it begins in the file, from 1; null for a file of JSON. */
      line: z.int().nullable(),
    })
    .nullable(),
  /** The request of `test_input.json`, as it is written there; null without that file. */
  test: z.looseObject({ file: z.string(), body: z.string() }).nullable(),
  /** Why a declaration cannot be read, for a person. */
  notices: z.array(z.string()),
});
export type DeclaredInput = z.infer<typeof declaredInputSchema>;

/** `stopped`: a person stopped the check before the test ended. */
export const workerTestStates = ['waiting', 'running', 'passed', 'failed', 'stopped'] as const;

/** The tests of `.runpod/tests.json`, which run through the endpoint; /local/v1/endpoints/{id}/check. */
export const workerCheckSchema = z.looseObject({
  /** `none`: no check yet; `tests` lists the tests that would run. */
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
  /** Hints for a person, such as variables that the hub would set for the tests. */
  notices: z.array(z.string()),
});
export type WorkerCheck = z.infer<typeof workerCheckSchema>;
