/** Who may import whom, as a table, and the dependency-cruiser rules made of it. */

import { builtinModules } from 'node:module';
import { type ICruiseResult, type IForbiddenRuleType, cruise } from 'dependency-cruiser';
import { BESIDE_ROOMS, ROOMS } from './rooms.ts';

interface Layer {
  readonly name: string;
  /** Pattern of its files; a group in it can be spoken of as `$1` in `own`. */
  readonly files: string;
  /** Pattern of what belongs to the layer itself. */
  readonly own: string;
  /** Patterns of the other files it may import. */
  readonly mayImport: readonly string[];
  readonly packages: readonly string[];
  readonly builtins: boolean;
}

const CONTRACT = '^main/contract/';
const DOMAIN = '^main/engine/domain/';
const TERMINAL = '^main/terminal/';
const FILES = '^main/files/';
const INTERFACE_PACKAGES = [
  '@cfworker/json-schema',
  '@fontsource-variable/[^/]+',
  '@codemirror/[^/]+',
  '@leeoniya/ufuzzy',
  '@lezer/highlight',
  '@mantine/[^/]+',
  '@tanstack/[^/]+',
  '@urql/core',
  '@xterm/[^/]+',
  'client-zip',
  'copy-to-clipboard',
  'graphql',
  'lucide-react',
  'marked',
  'react',
  'react-dom',
  'react-resizable-panels',
  'uplot',
  'urql',
  'uuid',
  'zod',
  'zustand',
  'zxing-wasm',
];

const folder = (path: string): Pick<Layer, 'name' | 'files' | 'own'> => ({
  name: path,
  files: `^${path}/`,
  own: `^${path}/`,
});
const file = (path: string): Pick<Layer, 'name' | 'files' | 'own'> => ({
  name: path,
  files: `^${path.replaceAll('.', '\\.')}$`,
  own: `^${path.replaceAll('.', '\\.')}$`,
});

export const LAYERS: readonly Layer[] = [
  { ...folder('main/contract'), mayImport: [], packages: ['zod', '@orpc/contract'], builtins: false },

  // A session of a terminal is the same wherever its shell runs: in a container of the engine's, or over SSH from the app.
  { ...folder('main/terminal'), mayImport: [CONTRACT], packages: ['@xterm/[^/]+'], builtins: false },

  // Files below one folder are read and written alike: those of volumes by the engine, those of the person by the app.
  { ...folder('main/files'), mayImport: [CONTRACT], packages: [], builtins: true },

  {
    ...folder('main/engine/domain'),
    mayImport: [CONTRACT, `${TERMINAL}(viewer|byteSocket)\\.ts$`],
    packages: [],
    builtins: false,
  },
  {
    ...folder('main/engine/service'),
    mayImport: [CONTRACT, DOMAIN, `${FILES}ports\\.ts$`],
    packages: ['fastify', 'fastify-type-provider-zod', '@fastify/[^/]+', 'graphql', 'pino', 'ws', 'zod'],
    builtins: true,
  },
  {
    ...folder('main/engine/runtime'),
    mayImport: [CONTRACT, DOMAIN, TERMINAL, FILES],
    packages: ['chokidar', 'dockerode', 'pino', 'ssh2', 'systeminformation', 'undici', 'ws', 'zod'],
    builtins: true,
  },
  { ...folder('main/engine/store'), mayImport: [CONTRACT, DOMAIN], packages: ['zod'], builtins: true },
  {
    name: 'main/engine, its own files',
    files: '^main/engine/(execution/)?[^/]+$',
    own: '^main/engine/',
    mayImport: [CONTRACT, FILES],
    packages: ['pino'],
    builtins: true,
  },
  { ...file('main/bodyThread.ts'), mayImport: ['^main/engine/store/'], packages: [], builtins: false },
  { ...file('main/keychain.ts'), mayImport: ['^main/app/secrets/'], packages: [], builtins: false },
  { ...file('main/engine.ts'), mayImport: ['^main/engine/'], packages: [], builtins: true },

  {
    ...folder('main/app'),
    mayImport: [CONTRACT, TERMINAL, FILES],
    packages: [
      '@orpc/contract',
      '@orpc/server',
      'aws4fetch',
      'keytar',
      '@lydell/node-pty',
      'ssh2',
      'tar-stream',
      'undici',
      'pino',
      'ws',
      'zod',
    ],
    builtins: true,
  },
  {
    ...folder('main/hosts/electron'),
    mayImport: [CONTRACT, '^main/app/'],
    packages: ['electron', 'electron-updater', '@orpc/server', 'pino', 'zod'],
    builtins: true,
  },
  { ...file('main/electron.ts'), mayImport: ['^main/hosts/electron/'], packages: ['electron'], builtins: true },
  {
    ...folder('main/hosts/headless'),
    mayImport: [CONTRACT, '^main/app/'],
    packages: ['@fastify/static', '@orpc/server', 'fastify', 'pino', 'uqr', 'ws', 'zod'],
    builtins: true,
  },
  { ...file('main/headless.ts'), mayImport: ['^main/(hosts/headless/|programPaths)'], packages: [], builtins: true },
  { ...file('main/programPaths.ts'), mayImport: ['^main/hosts/headless/'], packages: [], builtins: true },

  // The command line is a page of its own: it reaches the app by a socket, and reads no more of it than where that lies.
  {
    ...folder('main/cli'),
    mayImport: [CONTRACT, '^main/app/platform/(folders/|instanceFile\\.ts$)', `${TERMINAL}resetSequence\\.ts$`],
    packages: ['@orpc/client', 'commander', 'string-width', 'ws'],
    builtins: true,
  },
  // Where no Hangar runs, the command line looks by itself: with what app and engine look with.
  {
    ...file('main/localProbes.ts'),
    mayImport: [
      '^main/cli/(doctor/probes|data/localData)\\.ts$',
      '^main/localData\\.ts$',
      '^main/engine/machineReport\\.ts$',
      '^main/app/(secrets/keychain|platform/clock)\\.ts$',
      '^main/hosts/headless/',
    ],
    packages: [],
    builtins: true,
  },
  {
    ...file('main/localData.ts'),
    mayImport: [
      CONTRACT,
      '^main/cli/data/localData\\.ts$',
      '^main/engine/runtime/containers/ownContainers\\.ts$',
      '^main/app/(secrets/keychain\\.ts|platform/(clock\\.ts|folders/)|storage/)',
      '^main/hosts/headless/childProgram\\.ts$',
    ],
    packages: [],
    builtins: true,
  },
  {
    ...file('main/cli.ts'),
    mayImport: ['^main/(cli/|hosts/headless/|programPaths|localProbes)'],
    packages: [],
    builtins: true,
  },

  { ...folder('preload'), mayImport: [CONTRACT], packages: ['electron'], builtins: false },

  {
    name: 'renderer/features/*',
    files: '^renderer/features/([^/]+)/',
    own: '^renderer/features/$1/',
    mayImport: [CONTRACT, '^renderer/(client|state|ui|language)/', '^preload/host\\.d\\.ts$'],
    packages: INTERFACE_PACKAGES,
    builtins: false,
  },
  {
    name: 'renderer/{client,state,ui,language}',
    files: '^renderer/(client|state|ui|language)/',
    own: '^renderer/(client|state|ui|language)/',
    mayImport: [CONTRACT, '^preload/host\\.d\\.ts$'],
    packages: [...INTERFACE_PACKAGES, '@orpc/[^/]+'],
    builtins: false,
  },
  {
    name: 'renderer, its own files',
    files: '^renderer/[^/]+$',
    own: '^renderer/',
    mayImport: [CONTRACT],
    packages: INTERFACE_PACKAGES,
    builtins: false,
  },
];

/** Specs stand beside the code but run beside nothing else, so they may use what tests need. */
const SPEC = '\\.spec\\.tsx?$';
const OURS = '^(main|preload|renderer)/';
const BUILTINS = `^(node:)?(${builtinModules.filter((name) => !name.startsWith('_')).join('|')})$`;

function rulesOf({ name, files, own, mayImport, packages, builtins }: Layer): IForbiddenRuleType[] {
  const from = { path: files, pathNot: SPEC };
  const allowedPackages = packages.length > 0 ? { pathNot: `^node_modules/(${packages.join('|')})/` } : {};
  const rules: IForbiddenRuleType[] = [
    {
      name: `${name}: folders`,
      from,
      to: { path: '^(main|preload|renderer|scripts|test)/', pathNot: [own, ...mayImport] },
    },
    { name: `${name}: packages`, from, to: { path: '^node_modules/', ...allowedPackages } },
  ];
  if (!builtins) rules.push({ name: `${name}: Node's own modules`, from, to: { dependencyTypes: ['core'] } });
  return rules;
}

function roomRules(layer: string, rooms: Readonly<Record<string, readonly string[]>>): IForbiddenRuleType[] {
  return Object.entries(rooms).map(([room, allowed]) => ({
    name: `${layer}/${room}: folders`,
    from: { path: `^${layer}/${room}/`, pathNot: SPEC },
    to: {
      path: `^${layer}/`,
      pathNot: [room, ...allowed].map((name) => `^${layer}/${name}/`).concat(`^${layer}/${BESIDE_ROOMS[layer] ?? '$'}`),
    },
  }));
}

/** Rules about single imports. Unused files are found by knip. */
const RULES: readonly IForbiddenRuleType[] = [
  ...LAYERS.flatMap(rulesOf),
  ...Object.entries(ROOMS).flatMap(([layer, rooms]) => roomRules(layer, rooms)),
  { name: 'no cycles', from: { path: OURS }, to: { circular: true } },
  // Both are optional: where one is not installed, its one importer leads nowhere, and says so to the person. The address
  // of a file is for the bundler, which fails where the file is missing.
  {
    name: 'no import that leads nowhere',
    from: { path: OURS },
    to: { couldNotResolve: true, pathNot: '^(keytar|@lydell/node-pty)$|\\?url$' },
  },
  {
    name: 'nothing that ships imports a test',
    from: { path: OURS, pathNot: SPEC },
    to: { path: ['^test/', SPEC] },
  },
];

interface ReachRule {
  readonly name: string;
  readonly entry: RegExp;
  /** What the entry must not import, directly or through other files. */
  readonly unreachable: RegExp;
  /** Whether imports of types count, too. */
  readonly types: boolean;
}

const REACH_RULES: readonly ReachRule[] = [
  { name: 'engine and app meet over HTTP', entry: /^main\/engine\.ts$/, unreachable: /^main\/app\//, types: true },
  {
    name: 'app and engine meet over HTTP',
    entry: /^main\/app\/compose\.ts$/,
    unreachable: /^main\/engine[./]/,
    types: true,
  },
  {
    name: 'headless and engine run without electron',
    entry: /^main\/(headless|cli|engine)\.ts$/,
    unreachable: /^node_modules\/electron(-updater)?\//,
    types: true,
  },
  {
    name: 'the page runs without Node',
    entry: /^renderer\/main\.tsx$/,
    unreachable: /^main\/(?!contract\/)/,
    types: true,
  },
  {
    name: 'the page reaches no module of Node',
    entry: /^renderer\/main\.tsx$/,
    unreachable: new RegExp(BUILTINS),
    types: true,
  },
  // It waits for the app with a timer, for which the next spec of the process would fail. The specs of components have
  // an app in memory: such a spec is one of them.
  {
    name: 'specs of rules make no connection to the app',
    entry: /^renderer\/.*\.spec\.ts$/,
    unreachable: /^renderer\/client\/transport\/connection\.ts$/,
    types: false,
  },
];

/** All that `entry` imports, directly or through other files. */
function reachedFrom(entry: string, imports: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const reached = new Set(imports.get(entry));
  // A set that grows while it is gone through also yields what was added.
  for (const path of reached) for (const next of imports.get(path) ?? []) reached.add(next);
  return reached;
}

/** One line for each file that an entry must not reach. dependency-cruiser needs 4 s for these rules. */
function forbiddenReaches({ modules }: ICruiseResult): string[] {
  const importsOf = (types: boolean) =>
    new Map(
      modules.map(({ source, dependencies }) => [
        source,
        dependencies
          .filter(({ dependencyTypes }) => types || !dependencyTypes.includes('type-only'))
          .map(({ resolved }) => resolved),
      ]),
    );
  const all = importsOf(true);
  const values = importsOf(false);
  return REACH_RULES.flatMap(({ name, entry, unreachable, types }) => {
    const imports = types ? all : values;
    return [...imports.keys()]
      .filter((path) => entry.test(path))
      .flatMap((path) => [...reachedFrom(path, imports)].map((reached) => ({ path, reached })))
      .filter(({ reached }) => unreachable.test(reached))
      .map(({ path, reached }) => `${name}: ${path} → ${reached}`);
  });
}

/** Reads every import below `folders` and checks it against the rules; paths are relative to `baseDir`. */
export async function inspect(baseDir: string, folders: string[]): Promise<ICruiseResult> {
  const { output } = await cruise(
    folders,
    {
      baseDir,
      // Type-only imports are imports: without this they are gone before anybody looks.
      tsPreCompilationDeps: true,
      doNotFollow: { path: 'node_modules' },
      validate: true,
      // Who imports a file is not asked for.
      skipAnalysisNotInRules: true,
      ruleSet: { forbidden: RULES.map((rule) => ({ severity: 'error', ...rule })) },
    },
    {
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'node', 'default'],
    },
  );
  if (typeof output === 'string') throw new Error(`dependency-cruiser answered with a text: ${output}`);
  return output;
}

/** One line for each violation: the rule, who broke it, and with what. */
export function violationsOf(result: ICruiseResult): string[] {
  const ofImports = result.summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`);
  return [...ofImports, ...forbiddenReaches(result)];
}
