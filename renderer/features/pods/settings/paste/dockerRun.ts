/** A pasted `docker run` command, read into the fields of a new Pod. */
import { isImageName } from '#contract/api/imageName.ts';
import type { EnvRow } from '../../../../ui/form/envRows.ts';
import { shellWords } from '../../../../ui/text/shellWords.ts';
import { splitOptions, type CommandOption } from './options.ts';
import { t } from '../../../../language/text.ts';

export interface DockerRun {
  /** Empty where the command names none. */
  imageName: string;
  name: string | null;
  /** As in "8888/http". */
  ports: string[];
  env: EnvRow[];
  /** The words after the image. */
  command: string[];
  entrypoint: string[] | null;
  volumeMountPath: string | null;
  /** Null: none are asked for. */
  gpus: number | 'all' | null;
  cpus: number | null;
  /** Whole GB of 1024³ bytes. */
  memoryGb: number | null;
  /** The parts that the Pod will not have, for a person. */
  notTaken: string[];
}

/** Ports of well-known servers that do not speak HTTP. */
const TCP_PORTS: ReadonlySet<string> = new Set(
  '21 22 25 110 143 389 445 1433 1521 1883 3306 3389 5432 5672 5900 6379 9092 11211 27017'.split(' '),
);

/** A Pod behaves so in any case: it runs in the background, is started again, and has shared memory. */
const WITHOUT_MEANING: ReadonlySet<string> = new Set([
  '--detach',
  '--interactive',
  '--tty',
  '--rm',
  '--restart',
  '--pull',
  '--quiet',
  '--init',
  '--shm-size',
  '--sig-proxy',
]);
const OPERATOR = /^(?:&&?|\|\|?|;|\d?>{1,2}.*|<.*)$/;
const STARTS =
  /^\s*(?:[$#]\s+)?(?:[A-Za-z_]\w*=\S*\s+)*(?:sudo\s+(?:-\S+\s+)*)?(?:docker|podman|nerdctl|nvidia-docker)\s+(?:container\s+)?(?:run|create)\s/;

const emptyRun = (): DockerRun => ({
  imageName: '',
  name: null,
  ports: [],
  env: [],
  command: [],
  entrypoint: null,
  volumeMountPath: null,
  gpus: null,
  cpus: null,
  memoryGb: null,
  notTaken: [],
});

function takePort(run: DockerRun, option: CommandOption): void {
  const { value } = option;
  const [, outside, port = '', kind] = /^(?:(.*):)?(\d+)(?:\/(\w+))?$/.exec(value) ?? [];
  if (port === '' || (kind !== undefined && kind !== 'tcp') || /-\d+$/.test(outside ?? '')) {
    run.notTaken.push(option.text);
    return;
  }
  run.ports = [...run.ports.filter((other) => !other.startsWith(`${port}/`)), portOf(port)];
  const outsidePort = outside?.split(':').at(-1) ?? '';
  if (outsidePort !== '' && outsidePort !== port) {
    run.notTaken.push(t`port ${outsidePort} of the computer (the Pod has an address for ${port})`);
  }
}

const portOf = (port: string): string => `${port}/${TCP_PORTS.has(port) ? 'tcp' : 'http'}`;

function takeVariable(run: DockerRun, { value: assignment }: CommandOption): void {
  const [name = ''] = assignment.split('=', 1);
  const hasValue = assignment.includes('=');
  run.env = [...run.env.filter((row) => row.name !== name), { name, value: assignment.slice(name.length + 1) }];
  if (!hasValue) run.notTaken.push(t`the value of ${name}, which is in your shell`);
}

interface Mount {
  source: string;
  target: string;
}

/** Null for a mount that no volume can be, such as a temporary file system. */
function mountOf({ name, value }: CommandOption): Mount | null {
  if (name === '--mount') {
    const fields = new Map(value.split(',').map((field) => [field.split('=', 1)[0], field.replace(/^[^=]*=?/, '')]));
    const target = fields.get('target') ?? fields.get('destination') ?? fields.get('dst');
    if (target === undefined || !['bind', 'volume', undefined].includes(fields.get('type'))) return null;
    return { source: fields.get('source') ?? fields.get('src') ?? '', target };
  }
  // A drive letter of Windows is no separator.
  const [, source = '', target = ''] = /^(?:((?:[A-Za-z]:[\\/])?[^:]*):)?(\/[^:]*)(?::[\w,]+)?$/.exec(value) ?? [];
  return target === '' ? null : { source, target };
}

/** Files and sockets of the computer are no folder for a volume. */
const isFile = ({ source, target }: Mount): boolean =>
  /\.(?:sock|json|ya?ml|toml|conf|cfg|ini|env|txt|pem|crt|key|sh|py)$|^\/(?:etc|dev|proc|sys)\//.test(source || target);

function takeMount(run: DockerRun, option: CommandOption): void {
  const mount = mountOf(option);
  if (mount === null || isFile(mount) || run.volumeMountPath !== null) {
    run.notTaken.push(option.text);
    return;
  }
  run.volumeMountPath = mount.target;
  if (mount.source !== '') {
    run.notTaken.push(t`the files in ${mount.source} (the Pod has a volume of its own at ${mount.target})`);
  }
}

function takeGpus(run: DockerRun, option: CommandOption): void {
  const value = option.value.replaceAll('"', '');
  const devices = /(?:^|,)device=(.+)$/.exec(value)?.[1]?.split(',');
  const count = /^(?:count=)?(\d+)(?:,|$)/.exec(value)?.[1];
  if (value === 'all' || value === 'count=all') run.gpus = 'all';
  else if (count !== undefined) run.gpus = Number(count);
  else if (devices) {
    run.gpus = devices.length;
    run.notTaken.push(t`${option.text} (its GPUs are chosen when it starts)`);
  } else run.notTaken.push(option.text);
}

function takeDevice(run: DockerRun, option: CommandOption): void {
  const device = /^nvidia\.com\/gpu=(.+)$/.exec(option.value)?.[1];
  if (device === undefined) run.notTaken.push(option.text);
  else if (device === 'all') run.gpus = 'all';
  else run.gpus = (typeof run.gpus === 'number' ? run.gpus : 0) + 1;
}

const BYTES_OF: Readonly<Record<string, number>> = { b: 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3 };

function takeMemory(run: DockerRun, { value, text }: CommandOption): void {
  const [, amount = '', unit = 'b'] = /^(\d+(?:\.\d+)?)([bkmg])?(?:i?b)?$/.exec(value.toLowerCase()) ?? [];
  const bytes = Number(amount) * (BYTES_OF[unit] ?? 0);
  if (bytes > 0) run.memoryGb = Math.ceil(bytes / 1024 ** 3);
  else run.notTaken.push(text);
}

function takeCores(run: DockerRun, { value, text }: CommandOption): void {
  const cores = Math.ceil(Number(value));
  if (!(cores > 0)) {
    run.notTaken.push(text);
    return;
  }
  run.cpus = cores;
  if (cores !== Number(value)) run.notTaken.push(t`${text} (a Pod has whole cores: ${cores})`);
}

const takers: Readonly<Record<string, (run: DockerRun, option: CommandOption) => void>> = {
  '--publish': takePort,
  '--expose': takePort,
  '--env': takeVariable,
  '--volume': takeMount,
  '--mount': takeMount,
  '--gpus': takeGpus,
  '--device': takeDevice,
  '--name': (run, { value }) => (run.name = value),
  '--entrypoint': (run, { value }) => (run.entrypoint = value === '' ? null : [value]),
  '--cpus': takeCores,
  '--memory': takeMemory,
  '--env-file': (run, { text }) => run.notTaken.push(t`${text} (paste its text into the variables)`),
  '--runtime': (run, { value, text }) => {
    if (value === 'nvidia') run.gpus ??= 'all';
    else run.notTaken.push(text);
  },
  '--ipc': (run, { value, text }) => {
    if (value !== 'host' && value !== 'private') run.notTaken.push(text);
  },
};

/** The words with what a shell would put in their place, which only the shell of the person knows. */
const expanded = ({ imageName, command, entrypoint, env }: DockerRun): string[] =>
  [imageName, ...command, ...(entrypoint ?? []), ...env.map(({ value }) => value)].flatMap(
    (word) => word.match(/\$\{?[A-Za-z_]\w*\}?|\$\([^)]*\)?|`[^`]*`/g) ?? [],
  );

/** Reads the command; null if the text is none. The shell of Windows may continue its lines, too. */
export function readDockerRun(text: string): DockerRun | null {
  if (!STARTS.test(`${text} `)) return null;
  const { words, hasOpenQuote } = shellWords(text.replaceAll(/[ \t][`^]\r?\n/g, ' ').trim());
  const from = words.findIndex((word) => word === 'run' || word === 'create') + 1;
  const { options, rest } = splitOptions(words.slice(from));
  const end = rest.findIndex((word) => OPERATOR.test(word));
  const run = emptyRun();
  for (const option of options) {
    const take = takers[option.name];
    if (take) take(run, option);
    else if (!WITHOUT_MEANING.has(option.name)) run.notTaken.push(option.text);
  }
  const [image = '', ...command] = end === -1 ? rest : rest.slice(0, end);
  if (isImageName(image)) run.imageName = image;
  else run.notTaken.push(image === '' ? t`the image, which is missing` : t`${image}, which is not an image`);
  run.command = command;
  if (end !== -1) run.notTaken.push(rest.slice(end).join(' '));
  if (hasOpenQuote) run.notTaken.push(t`a quote that is not closed`);
  const unknown = [...new Set(expanded(run))];
  if (unknown.length > 0) run.notTaken.push(t`the value of ${unknown.join(', ')}, which only your shell knows`);
  return run;
}
