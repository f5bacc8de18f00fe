import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  createReadStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import type Docker from 'dockerode';

const kit = resolve(import.meta.dirname, '../../../resources/worker-kit/python');
const APPLETS =
  'sh wget sleep cat echo sed env ls mkdir touch kill id df grep cut true false dd seq head tail tr httpd top'.split(
    ' ',
  );
/** What a worker needs nothing of: it makes up most of the standard library. */
const LEFT_OUT =
  'test tests idlelib lib2to3 ensurepip tkinter turtledemo pydoc_data dist-packages site-packages config-*';

/**
 * Puts a tar of `folder` into the engine as an image. No registry is needed for it. `changes`: lines of a Dockerfile
 * about how the image is run.
 */
async function importFolder(docker: Docker, folder: string, name: string, changes: string[] = []): Promise<void> {
  const tar = `${folder}.tar`;
  execFileSync('tar', ['-C', folder, '-cf', tar, '.']);
  // With its tag: Podman overlooks a tag that is given beside the name.
  const answer = await docker.importImage(createReadStream(tar), { repo: name, changes });
  const answerText = await text(answer);
  if (answerText.includes('"error"')) throw new Error(`The image ${name} could not be made: ${answerText}`);
  rmSync(tar);
}

function withBusybox(folder: string): void {
  for (const name of ['bin', 'tmp', 'etc']) mkdirSync(join(folder, name), { recursive: true });
  cpSync(execFileSync('which', ['busybox'], { encoding: 'utf8' }).trim(), join(folder, 'bin/busybox'));
  for (const applet of APPLETS) symlinkSync('busybox', join(folder, 'bin', applet));
}

/**
 * A worker in a shell: takes jobs and answers each with what `answer`, a shell command, prints as JSON. What `chunk N`
 * is called with in it is streamed.
 */
export const shellWorker = (answer: string): string => `
trap 'exit 0' TERM
echo "worker $RUNPOD_POD_ID is up"
post() { wget -q -O /dev/null --header "Authorization: $RUNPOD_AI_API_KEY" --post-data "{\\"output\\":$2}" "$(echo "$1" | sed "s/\\$ID/$id/")&isStream=$3"; }
chunk() { post "$RUNPOD_WEBHOOK_POST_STREAM" "$1" false; }
while :; do
  wget -q -O /tmp/job --header "Authorization: $RUNPOD_AI_API_KEY" "$RUNPOD_WEBHOOK_GET_JOB&job_in_progress=0" &
  wait $! || { sleep 0.1; continue; }
  id=$(sed -n 's/.*"id":"\\([^"]*\\)".*/\\1/p' /tmp/job)
  [ -z "$id" ] && continue
  echo "took $id"
  { ${answer}; } > /tmp/answer &
  wait $!
  post "$RUNPOD_WEBHOOK_POST_OUTPUT" "$(cat /tmp/answer)" false
done`;

/**
 * An image of little more than a shell, wget and httpd, with `worker`, a script, at /worker.sh. `programs`: more
 * scripts for its /bin, by their names.
 */
export async function makeShellImage(
  docker: Docker,
  name: string,
  worker = '',
  programs: Readonly<Record<string, string>> = {},
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'hangar-image-'));
  try {
    withBusybox(folder);
    writeFileSync(join(folder, 'worker.sh'), worker);
    for (const [program, script] of Object.entries(programs)) {
      writeFileSync(join(folder, 'bin', program), script, { mode: 0o755 });
    }
    await importFolder(docker, folder, name);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** An image like another one, which runs as this user, as in "1000". */
export async function makeUserImage(docker: Docker, from: string, name: string, user: string): Promise<void> {
  const container = await docker.createContainer({ Image: from, Cmd: ['sh'] });
  await container.commit({ repo: name, changes: `USER ${user}` });
  await container.remove();
}

/** An image whose shell was made for a processor that there is none of. */
export async function makeForeignImage(docker: Docker, name: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'hangar-image-'));
  try {
    withBusybox(folder);
    const program = readFileSync(join(folder, 'bin/busybox'));
    // The number of the processor, in the head of the program.
    program.writeUInt16LE(0x1234, 18);
    writeFileSync(join(folder, 'bin/busybox'), program);
    await importFolder(docker, folder, name);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The system's own Python; one that a version switcher has put before it could not be copied. */
const python = existsSync('/usr/bin/python3') ? '/usr/bin/python3' : 'python3';

/** What the worker kit and the programs of the tests import, also later than at their start. */
const MODULES =
  'ast asyncio base64 concurrent.futures.thread encodings.ascii encodings.idna encodings.latin_1 hashlib http.server ' +
  'importlib.metadata importlib.util inspect json math runpy signal socket threading traceback urllib.parse';
const WHOLE_LIBRARY =
  'import os, sys, sysconfig; print(os.path.realpath(sys.executable)); print(sysconfig.get_paths()["stdlib"])';
/** Prints the interpreter and the files of all that these modules load, with their compiled code. */
const LOADED_FILES = `
import importlib, os, sys, sysconfig
for name in ${JSON.stringify(MODULES)}.split(): importlib.import_module(name)
loaded = [vars(module) for module in list(sys.modules.values())]
files = [module.get(place) for module in loaded for place in ("__file__", "__cached__")]
library = sysconfig.get_paths()["stdlib"] + os.sep
print(os.path.realpath(sys.executable))
for file in sorted({file for file in files if file and file.startswith(library) and os.path.exists(file)}): print(file)
`;

const libraries = (files: string[]): string[] => {
  const { stdout } = spawnSync('ldd', files, { encoding: 'utf8' });
  return [...new Set([...stdout.matchAll(/(?:=> |^\s+)(\/\S+) \(0x/gm)].map((match) => match[1]!))];
};

const modulesBelow = (folder: string): string[] =>
  execFileSync('find', [folder, '-name', '*.so'], { encoding: 'utf8' }).trim().split('\n');

/** What `script` prints in an isolated Python, line by line. */
const askPython = (from: string, script: string): string[] =>
  execFileSync(from, ['-I', '-c', script], { encoding: 'utf8' }).trim().split('\n');

/**
 * Puts the Python `program` at /bin/python3 of the folder, with `files` of its standard library (folders with all in them)
 * and the libraries of its own and of `modules`.
 */
function withPython(folder: string, program: string, files: readonly string[], modules: readonly string[]): void {
  const exclude = LEFT_OUT.split(' ').map((left) => `--exclude=${left}`);
  const parts = [program, ...files, ...libraries([program, ...modules])];
  // Links are followed, so that everything lies where it is looked for.
  const packed = spawnSync('tar', ['-C', '/', '-chf', '-', ...exclude, ...parts.map((part) => part.slice(1))], {
    maxBuffer: 500 * 1024 * 1024,
  });
  execFileSync('tar', ['-C', folder, '-xf', '-'], { input: packed.stdout });
  symlinkSync(program, join(folder, 'bin/python3'));
}

/**
 * An image with the virtual environment at `environment`, at the same path, and its Python. Its programs run as `user`,
 * whose home is `home`. `changes`: more lines of a Dockerfile about how the image is run.
 */
export async function makeEnvironmentImage(
  docker: Docker,
  name: string,
  environment: string,
  { user, home, changes }: { user: { name: string; id: number }; home: string; changes: string[] },
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'hangar-image-'));
  try {
    withBusybox(folder);
    // Other users than root read it.
    chmodSync(folder, 0o755);
    const [program = '', library = ''] = askPython(join(environment, 'bin/python'), WHOLE_LIBRARY);
    withPython(folder, program, [library], [...modulesBelow(library), ...modulesBelow(environment)]);
    cpSync(environment, join(folder, environment), { recursive: true, verbatimSymlinks: true });
    mkdirSync(join(folder, home), { recursive: true });
    chownSync(join(folder, home), user.id, user.id);
    writeFileSync(join(folder, 'etc/passwd'), `${user.name}:x:${user.id}:${user.id}::${home}:/bin/sh\n`);
    chmodSync(join(folder, 'tmp'), 0o777);
    const settings = [`USER ${user.id}`, `WORKDIR ${home}`, `ENV HOME=${home}`, `ENV PATH=${environment}/bin:/bin`];
    await importFolder(docker, folder, name, [...settings, ...changes]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * An image with this machine's Python, those of its modules that are in `MODULES`, and our worker kit at /kit. With the
 * whole standard library, the image would take three times as long to make.
 */
export async function makePythonImage(docker: Docker, name: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'hangar-image-'));
  try {
    withBusybox(folder);
    const [program = '', ...files] = askPython(python, LOADED_FILES);
    withPython(
      folder,
      program,
      files,
      files.filter((file) => file.endsWith('.so')),
    );
    cpSync(kit, join(folder, 'kit'), { recursive: true });
    await importFolder(docker, folder, name);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
